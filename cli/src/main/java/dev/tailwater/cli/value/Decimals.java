package dev.tailwater.cli.value;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Decimal numbers as bytes, for lists so long that a string for each number would count. */
public final class Decimals {
  /** The length of the longest: 19 digits and a sign. */
  public static final int MAX_LENGTH = 20;

  private Decimals() {}

  /** Writes a number as ASCII from an index on; returns where it ends. */
  public static int write(long number, byte[] target, int at) {
    if (number < 0) {
      byte[] text = Long.toString(number).getBytes(US_ASCII);
      System.arraycopy(text, 0, target, at, text.length);
      return at + text.length;
    }
    int end = at + 1;
    for (long left = number; left >= 10; left /= 10) {
      end++;
    }
    long left = number;
    for (int digit = end - 1; digit >= at; digit--) {
      target[digit] = (byte) ('0' + left % 10);
      left /= 10;
    }
    return end;
  }
}
