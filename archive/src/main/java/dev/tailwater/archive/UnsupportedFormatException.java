package dev.tailwater.archive;

/** An object was written by a newer Tailwater, or with a feature that this one does not know. */
public final class UnsupportedFormatException extends ArchiveException {
  /**
   * @param key the object's key
   * @param what the version or feature, for the user
   */
  public UnsupportedFormatException(String key, String what) {
    super(key, what + ". Hint: read this archive with a newer Tailwater");
  }
}
