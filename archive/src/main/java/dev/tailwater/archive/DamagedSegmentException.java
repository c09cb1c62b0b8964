package dev.tailwater.archive;

/** Signals that the bytes of a segment are not what a sealer wrote, or belong to another name. */
public final class DamagedSegmentException extends ArchiveException {
  private final long offsetBytes;

  /**
   * Creates the exception.
   *
   * @param key the key of the object
   * @param offsetBytes the offset of the damage in the object; for compressed bytes, the offset up
   *     to which the object had been read, which is up to a few hundred KiB behind the damage
   * @param why what is wrong, for the user
   */
  public DamagedSegmentException(String key, long offsetBytes, String why) {
    super(key, "damaged at or before byte " + offsetBytes + " of the object: " + why);
    this.offsetBytes = offsetBytes;
  }

  /** Returns the offset in the object at which the damage was detected. */
  public long offsetBytes() {
    return offsetBytes;
  }
}
