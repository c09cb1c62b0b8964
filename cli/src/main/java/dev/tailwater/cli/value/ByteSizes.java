package dev.tailwater.cli.value;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes in bytes as people write them, in powers of 1024: {@code 64KiB}, {@code 8MiB}, {@code
 * 512B}.
 */
public final class ByteSizes {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,12})(B|KiB|MiB|GiB)");
  private static final Map<String, Long> BYTES_PER_UNIT =
      Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

  /** How many bytes {@link #writeForPeople} writes at most: a number, a space and a unit. */
  public static final int MAX_LENGTH_FOR_PEOPLE = Decimals.MAX_LENGTH + 4;

  private ByteSizes() {}

  /**
   * Reads a size.
   *
   * @return bytes
   * @throws IllegalArgumentException if it is not one; the message says what is expected
   */
  public static long parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "expected a size such as 64KiB, 8MiB or 1GiB, not '" + text + "'");
    }
    long unitBytes = BYTES_PER_UNIT.getOrDefault(matcher.group(2), 1L);
    long number = Long.parseLong(matcher.group(1));
    if (number > Long.MAX_VALUE / unitBytes) {
      throw new IllegalArgumentException(
          "'" + text + "' is too large: expected a size such as 64KiB, 8MiB or 1GiB");
    }
    return number * unitBytes;
  }

  /** Writes a size for reading: three digits or so, {@code 1.5 MiB}. */
  public static String forPeople(long bytes) {
    byte[] text = new byte[MAX_LENGTH_FOR_PEOPLE];
    return new String(text, 0, writeForPeople(bytes, text, 0), US_ASCII);
  }

  /**
   * Writes what {@link #forPeople} returns as ASCII, from an index on; returns where it ends. A
   * long list has no time for a string for each size.
   */
  public static int writeForPeople(long bytes, byte[] target, int at) {
    if (bytes < 1024) {
      return writeUnit(0, target, Decimals.write(bytes, target, at));
    }
    double value = bytes;
    int unit = 0;
    while (value >= 1023.95 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    if (value >= 100) {
      return writeUnit(unit, target, Decimals.write(Math.round(value), target, at));
    }
    // Rounded half up like %.1f, which takes microseconds that a long list has not.
    long tenths = Math.round(value * 10);
    int point = Decimals.write(tenths / 10, target, at);
    target[point] = '.';
    return writeUnit(unit, target, Decimals.write(tenths % 10, target, point + 1));
  }

  private static int writeUnit(int unit, byte[] target, int at) {
    target[at] = ' ';
    int end = at + 1;
    for (int i = 0; i < UNITS[unit].length(); i++) {
      target[end++] = (byte) UNITS[unit].charAt(i);
    }
    return end;
  }

  /**
   * Writes a size exactly, in the largest unit that keeps it whole: the reverse of {@link #parse}.
   */
  public static String format(long bytes) {
    for (int unit = 3; unit > 0; unit--) {
      long unitBytes = 1L << (10 * unit);
      if (bytes != 0 && bytes % unitBytes == 0) {
        return bytes / unitBytes + UNITS[unit];
      }
    }
    return bytes + "B";
  }
}
