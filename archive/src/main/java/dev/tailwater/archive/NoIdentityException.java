package dev.tailwater.archive;

/** A segment is encrypted, and none of the identities at hand opens it. */
public final class NoIdentityException extends ArchiveException {
  private final int recipients;

  /**
   * @param key the object's key
   * @param identities how many were tried
   * @param recipients to how many keys the segment is encrypted
   */
  public NoIdentityException(String key, int identities, int recipients) {
    super(
        key,
        identities == 0
            ? "encrypted, and no identity was given. Hint: pass the private key with --identity FILE"
            : "encrypted to other keys than the "
                + identities
                + " identities given. Hint: --identity FILE must hold the private key of one of the"
                + " recipients that the agent encrypted to");
    this.recipients = recipients;
  }

  /** To how many keys the segment is encrypted. An age file does not tell which they are. */
  public int recipients() {
    return recipients;
  }
}
