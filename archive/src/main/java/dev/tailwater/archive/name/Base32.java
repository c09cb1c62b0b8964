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

  private static final int DIGIT_BITS = 5;
  private static final String DIGITS = "0123456789abcdefghijklmnopqrstuv";

  private Base32() {}

  /** Returns an unsigned number with leading zeros. */
  static String fixedWidth(long unsigned, int characters) {
    StringBuilder text = new StringBuilder(characters);
    append(text, unsigned, characters);
    return text.toString();
  }

  /** Appends an unsigned number with leading zeros. */
  static void append(StringBuilder to, long unsigned, int characters) {
    int bits = characters * DIGIT_BITS;
    if (bits < Long.SIZE && unsigned >>> bits != 0) {
      throw new IllegalArgumentException(
          Long.toUnsignedString(unsigned) + " needs more than " + characters + " characters");
    }
    for (int shift = bits - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
      int digit = shift < Long.SIZE ? (int) (unsigned >>> shift) & (RADIX - 1) : 0;
      to.append(DIGITS.charAt(digit));
    }
  }

  /** Returns the first 80 bits of the SHA-256 of these bytes, as 16 characters. */
  static String hash(byte[] bytes) {
    StringBuilder text = new StringBuilder(HASH_CHARACTERS);
    appendHash(text, bytes);
    return text.toString();
  }

  /** Appends what {@link #hash} returns. */
  static void appendHash(StringBuilder to, byte[] bytes) {
    ByteBuffer digest = ByteBuffer.wrap(sha256(bytes));
    // 40 bits are exactly 8 characters.
    append(to, digest.getLong() >>> 24, HASH_CHARACTERS / 2);
    append(to, digest.getLong(5) >>> 24, HASH_CHARACTERS / 2);
  }

  /** Returns the number that the characters of a text represent, which are valid. */
  static int number(String text, int from, int to) {
    int number = 0;
    for (int at = from; at < to; at++) {
      char c = text.charAt(at);
      number = number << DIGIT_BITS | (c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return number;
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
