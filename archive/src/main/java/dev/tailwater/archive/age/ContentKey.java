package dev.tailwater.archive.age;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret key that turns the checksum of an encrypted segment into a check. Whoever has the key
 * can find out whether a segment holds given bytes; nobody else can. Immutable and thread-safe. Its
 * text never shows the key.
 */
public final class ContentKey {
  /** The length of a key. */
  public static final int KEY_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] CHECK = ascii("tailwater content check 1");
  private static final byte[] ID = ascii("tailwater content key 1");
  private static final byte[] DIRECTORY = ascii("tailwater pack directory 1");

  private final SecretKeySpec key;
  private final int id;

  private ContentKey(byte[] bytes) {
    this.key = new SecretKeySpec(bytes, ALGORITHM);
    this.id = hmac(ID).getInt();
  }

  /**
   * Returns a key of these bytes, which are copied.
   *
   * @throws IllegalArgumentException when they are not {@value #KEY_BYTES}
   */
  public static ContentKey of(byte[] bytes) {
    if (bytes.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "a content key has " + KEY_BYTES + " bytes, not " + bytes.length);
    }
    return new ContentKey(bytes);
  }

  /** Returns the bytes of a new key. */
  public static byte[] generate(SecureRandom random) {
    byte[] bytes = new byte[KEY_BYTES];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Returns a number that tells keys apart and says nothing else about them. */
  public int id() {
    return id;
  }

  /**
   * Returns the check of a range of a stream.
   *
   * @param rawCrc32c CRC-32C of the range's raw bytes; under the key, nobody can guess its input
   */
  public long check(StreamId stream, ByteRange range, int rawCrc32c) {
    byte[] text = ascii(stream.text());
    ByteBuffer message = ByteBuffer.allocate(CHECK.length + text.length + 2 * Long.BYTES + 4);
    message.put(CHECK).put(text);
    message.putLong(range.startBytes()).putLong(range.endBytes()).putInt(rawCrc32c);
    return hmac(message.array()).getLong();
  }

  /** Returns the key for the directories of packs, which is derived from this one. */
  byte[] directoryKey() {
    return hmac(DIRECTORY).array();
  }

  private ByteBuffer hmac(byte[] message) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return ByteBuffer.wrap(mac.doFinal(message));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public String toString() {
    return "content key (secret)";
  }
}
