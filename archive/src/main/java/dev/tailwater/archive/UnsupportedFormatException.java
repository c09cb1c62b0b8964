package dev.tailwater.archive;

/** Signals that an object was written by a newer Tailwater, or uses an unknown feature. */
public final class UnsupportedFormatException extends ArchiveException {
  /**
   * Creates the exception.
   *
   * @param key the key of the object
   * @param what the unsupported version or feature, for the user
   */
  public UnsupportedFormatException(String key, String what) {
    super(key, what + ". Hint: read this archive with a newer Tailwater");
  }
}
