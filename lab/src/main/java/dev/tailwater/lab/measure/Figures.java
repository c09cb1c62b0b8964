package dev.tailwater.lab.measure;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** The formatting of figures for people. */
public final class Figures {
  private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_EVEN);
  private static final long KIBIBYTE = 1 << 10;
  private static final long MEBIBYTE = 1 << 20;

  private Figures() {}

  /** Formats three significant digits: {@code 0.0123}, {@code 4.7}, {@code 12800}. */
  public static String text(double value) {
    if (!Double.isFinite(value)) {
      return String.valueOf(value);
    }
    BigDecimal rounded = new BigDecimal(value).round(THREE_DIGITS);
    return value == 0
        ? "0"
        : Math.abs(value) >= 1000
            ? new BigDecimal(value).setScale(0, RoundingMode.HALF_EVEN).toPlainString()
            : rounded.stripTrailingZeros().toPlainString();
  }

  /** Formats a number of bytes in the largest unit that needs no fraction: {@code 64 KiB}. */
  public static String size(long bytes) {
    if (bytes >= MEBIBYTE && bytes % MEBIBYTE == 0) {
      return bytes / MEBIBYTE + " MiB";
    }
    return bytes >= KIBIBYTE && bytes % KIBIBYTE == 0 ? bytes / KIBIBYTE + " KiB" : bytes + " B";
  }
}
