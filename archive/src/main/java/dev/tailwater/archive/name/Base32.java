package dev.tailwater.archive.name;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Lower-case base32hex (RFC 4648, section 7, without padding). Its characters are legal in every
 * name, and texts of equal length sort like the numbers that they represent. It is the same as
 * Java's radix 32.
 */
final class Base32 {
  static final int HASH_CHARACTERS = 16;
  static final int RADIX = 32;

  private Base32() {}

  /** Returns an unsigned number with leading zeros. */
  static String fixedWidth(long unsigned, int characters) {
    String digits = Long.toUnsignedString(unsigned, RADIX);
    return "0".repeat(characters - digits.length()) + digits;
  }

  /** Returns the first 80 bits of the SHA-256 of these bytes, as 16 characters. */
  static String hash(byte[] bytes) {
    ByteBuffer digest = ByteBuffer.wrap(sha256(bytes));
    // 40 bits are exactly 8 characters.
    long first = digest.getLong() >>> 24;
    long second = digest.getLong(5) >>> 24;
    return fixedWidth(first, HASH_CHARACTERS / 2) + fixedWidth(second, HASH_CHARACTERS / 2);
  }

  static boolean isBase32(String text, int from, int to) {
    for (int at = from; at < to; at++) {
      char c = text.charAt(at);
      if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'v')) {
        return false;
      }
    }
    return true;
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
