package dev.tailwater.archive.age;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * An encryptor or decryptor of the chunks of an age payload: STREAM with ChaCha20-Poly1305, in
 * chunks of 64 KiB of plain text. The nonce is an 11-byte counter and a byte that is 1 for the last
 * chunk. Can be used for one payload in one direction.
 */
public final class AgePayload {
  public static final int CHUNK_BYTES = 64 * 1024;
  public static final int TAG_BYTES = 16;
  public static final int SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;

  private final Cipher cipher;
  private final SecretKeySpec key;
  private final int mode;
  private final byte[] nonce = new byte[12];
  private long chunk;

  private AgePayload(byte[] payloadKey, int mode, long firstChunk) {
    try {
      this.cipher = Cipher.getInstance("ChaCha20-Poly1305");
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has ChaCha20-Poly1305", impossible);
    }
    this.key = new SecretKeySpec(payloadKey, "ChaCha20");
    this.mode = mode;
    this.chunk = firstChunk;
  }

  public static AgePayload encrypting(byte[] payloadKey) {
    return new AgePayload(payloadKey, Cipher.ENCRYPT_MODE, 0);
  }

  /** Decrypts from this chunk on, the first of all being 0. */
  static AgePayload decrypting(byte[] payloadKey, long firstChunk) {
    return new AgePayload(payloadKey, Cipher.DECRYPT_MODE, firstChunk);
  }

  /** Returns the number of bytes that encryption adds to this many bytes. */
  public static int overheadBytes(int plainBytes) {
    return Math.max(1, Math.ceilDiv(plainBytes, CHUNK_BYTES)) * TAG_BYTES;
  }

  /**
   * Encrypts within one array. The cipher text is longer than the plain text: it begins {@link
   * #overheadBytes} lower and ends where the plain text ended. Each chunk overwrites only bytes
   * that have already been read, which {@link Cipher#doFinal(byte[], int, int, byte[], int)} allows
   * ("copy safe").
   *
   * @return the index at which the cipher text begins
   */
  public static int encryptInPlace(byte[] payloadKey, byte[] bytes, int from, int lengthBytes) {
    AgePayload payload = encrypting(payloadKey);
    int begin = from - overheadBytes(lengthBytes);
    int target = begin;
    try {
      for (int done = 0; done < lengthBytes; done += CHUNK_BYTES) {
        int plain = Math.min(CHUNK_BYTES, lengthBytes - done);
        boolean last = done + plain == lengthBytes;
        target += payload.next(bytes, from + done, plain, last, bytes, target);
      }
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("encryption cannot fail here", impossible);
    }
    return begin;
  }

  /** Encrypts or decrypts the next chunk; returns the length of the result. */
  public int next(byte[] source, int from, int lengthBytes, boolean last, byte[] target, int at)
      throws GeneralSecurityException {
    for (int i = 0; i < 8; i++) {
      nonce[10 - i] = (byte) (chunk >>> (8 * i));
    }
    nonce[11] = (byte) (last ? 1 : 0);
    chunk++;
    cipher.init(mode, key, new IvParameterSpec(nonce));
    return cipher.doFinal(source, from, lengthBytes, target, at);
  }
}
