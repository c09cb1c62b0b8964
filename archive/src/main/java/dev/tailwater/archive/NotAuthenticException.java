package dev.tailwater.archive;

/** Signals that an object has no signature of a trusted key, or was altered after it was signed. */
public final class NotAuthenticException extends ArchiveException {
  private final boolean unsigned;

  /**
   * Creates the exception.
   *
   * @param key the key of the object
   * @param unsigned whether it has no signature at all
   * @param why what is wrong, for the user
   */
  public NotAuthenticException(String key, boolean unsigned, String why) {
    super(key, "not authentic: " + why);
    this.unsigned = unsigned;
  }

  /** Returns whether the object has no signature at all. */
  public boolean isUnsigned() {
    return unsigned;
  }
}
