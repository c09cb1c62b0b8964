package dev.tailwater.archive;

/** A {@code stream.json} or {@code .gap} is not what its writer wrote. */
public final class DamagedRecordException extends ArchiveException {
  private final long offsetBytes;

  /**
   * @param key the object's key
   * @param offsetBytes where in the object
   * @param why what is wrong, for the user
   */
  public DamagedRecordException(String key, long offsetBytes, String why) {
    super(key, "damaged at byte " + offsetBytes + " of the object: " + why);
    this.offsetBytes = offsetBytes;
  }

  /** Where in the object the damage was seen. */
  public long offsetBytes() {
    return offsetBytes;
  }
}
