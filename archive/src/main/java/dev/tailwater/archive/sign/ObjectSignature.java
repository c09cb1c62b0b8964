package dev.tailwater.archive.sign;

/**
 * The signature of an object.
 *
 * @param keyId which key it was made with: eight hexadecimal digits
 * @param atMillis when it was made by the signer's clock, milliseconds since 1970
 * @param bytes the signature, 64 bytes
 */
public record ObjectSignature(
    String keyId, long atMillis, @SuppressWarnings("ArrayRecordComponent") byte[] bytes) {
  /** The length of an Ed25519 signature. */
  public static final int SIGNATURE_BYTES = Ed25519.SIGNATURE_BYTES;

  /** Returns whether the holder of a key has made this signature of a statement. */
  boolean isOf(Statement statement, VerifyingKey key) {
    return keyId.equals(key.id())
        && bytes.length == SIGNATURE_BYTES
        && key.verifies(statement.message(atMillis), bytes);
  }
}
