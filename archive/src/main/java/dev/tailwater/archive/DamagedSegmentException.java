package dev.tailwater.archive;

/** A segment's bytes are not what a sealer wrote, or belong to another name. */
public final class DamagedSegmentException extends ArchiveException {
  private final long offsetBytes;

  /**
   * @param key the object's key
   * @param offsetBytes where in the object; for compressed bytes up to where the object had been
   *     read, which is up to a few hundred KiB behind the damage
   * @param why what is wrong, for the user
   */
  public DamagedSegmentException(String key, long offsetBytes, String why) {
    super(key, "damaged at or before byte " + offsetBytes + " of the object: " + why);
    this.offsetBytes = offsetBytes;
  }

  /** Where in the object the damage was seen. */
  public long offsetBytes() {
    return offsetBytes;
  }
}
