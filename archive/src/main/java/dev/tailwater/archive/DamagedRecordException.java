package dev.tailwater.archive;

/**
 * Signals that the content of a {@code stream.json}, {@code .gap} or other record is not what its
 * writer wrote.
 */
public final class DamagedRecordException extends ArchiveException {
  private final long offsetBytes;

  /**
   * Creates the exception.
   *
   * @param key the key of the object
   * @param offsetBytes the offset of the damage in the object
   * @param why what is wrong, for the user
   */
  public DamagedRecordException(String key, long offsetBytes, String why) {
    super(key, "damaged at byte " + offsetBytes + " of the object: " + why);
    this.offsetBytes = offsetBytes;
  }

  /** Returns the offset in the object at which the damage was detected. */
  public long offsetBytes() {
    return offsetBytes;
  }
}
