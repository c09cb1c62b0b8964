package dev.tailwater.archive;

/** A segment is encrypted, and none of the identities at hand opens it. */
public final class NoIdentityException extends ArchiveException {
  /**
   * @param key the object's key
   * @param identities how many were tried
   */
  public NoIdentityException(String key, int identities) {
    super(
        key,
        identities == 0
            ? "encrypted, and no identity was given. Hint: pass the private key with --identity FILE"
            : "encrypted to other keys than the "
                + identities
                + " identities given. Hint: --identity FILE must hold the private key of one of the"
                + " recipients that the agent encrypted to");
  }
}
