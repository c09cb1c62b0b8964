package dev.tailwater.archive;

/** Signals that a segment is encrypted and none of the given identities can decrypt it. */
public final class NoIdentityException extends ArchiveException {
  private final int recipients;

  /**
   * Creates the exception.
   *
   * @param key the key of the object
   * @param identities the number of identities that were tried
   * @param recipients the number of keys to which the segment is encrypted
   */
  public NoIdentityException(String key, int identities, int recipients) {
    super(
        key,
        identities == 0
            ? "encrypted, and no identity was given. Hint: pass the private key with --identity FILE"
            : "encrypted to other keys than "
                + (identities == 1 ? "the identity" : "the " + identities + " identities")
                + " that "
                + (identities == 1 ? "was" : "were")
                + " given. Hint: --identity FILE must hold the private key of one of the"
                + " recipients that the agent encrypted to");
    this.recipients = recipients;
  }

  /**
   * Returns the number of keys to which the segment is encrypted. An age file does not reveal which
   * keys these are.
   */
  public int recipients() {
    return recipients;
  }
}
