package dev.tailwater.cli.schema;

import java.util.ArrayList;
import java.util.List;

/**
 * Regular expressions for whole numbers in a range, since a schema compares texts such as {@code
 * 8MiB} only by pattern. They use what ECMA 262 and {@link java.util.regex} both know, have no
 * anchors, and can be put together.
 */
final class NumberPattern {
  private static final String DIGIT = "[0-9]";

  private NumberPattern() {}

  /** Returns the pattern for a number and all above it, with leading zeros. */
  static String atLeast(long low) {
    if (low == 0) {
      return DIGIT + "+";
    }
    String first = Long.toString(low);
    int digits = first.length();
    boolean isPower = low == powerOfTen(digits - 1);
    if (isPower) {
      return "0*[1-9][0-9]" + (digits == 1 ? "*" : digits == 2 ? "+" : "{" + (digits - 1) + ",}");
    }
    String longer = "[1-9][0-9]{" + digits + ",}";
    return "0*" + either(List.of(range(first, "9".repeat(digits)), longer));
  }

  private static long powerOfTen(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= 10;
    }
    return power;
  }

  /**
   * Returns the pattern for the numbers of a range, with leading zeros.
   *
   * @param low at least 0
   * @param high at least {@code low}
   */
  static String between(long low, long high) {
    List<String> alternatives = new ArrayList<>();
    int most = Long.toString(high).length();
    for (int digits = Long.toString(low).length(); digits <= most; digits++) {
      long from = digits == 1 ? low : Math.max(low, powerOfTen(digits - 1));
      long to = Math.min(high, powerOfTen(digits) - 1);
      alternatives.add(range(Long.toString(from), Long.toString(to)));
    }
    return "0*" + either(alternatives);
  }

  /** Returns the pattern for one of several patterns. */
  static String either(List<String> alternatives) {
    return alternatives.size() == 1
        ? alternatives.getFirst()
        : "(?:" + String.join("|", alternatives) + ")";
  }

  /** Returns the pattern for the texts between two of the same length. */
  private static String range(String low, String high) {
    if (low.isEmpty()) {
      return "";
    }
    char first = low.charAt(0);
    char last = high.charAt(0);
    String lowRest = low.substring(1);
    String highRest = high.substring(1);
    if (first == last) {
      return first + range(lowRest, highRest);
    }
    boolean fromZeros = lowRest.chars().allMatch(digit -> digit == '0');
    boolean toNines = highRest.chars().allMatch(digit -> digit == '9');
    List<String> alternatives = new ArrayList<>();
    if (!fromZeros) {
      alternatives.add(first + range(lowRest, "9".repeat(lowRest.length())));
    }
    char wholeFrom = (char) (fromZeros ? first : first + 1);
    char wholeTo = (char) (toNines ? last : last - 1);
    if (wholeFrom <= wholeTo) {
      String digit =
          wholeFrom == wholeTo
              ? String.valueOf(wholeFrom)
              : wholeFrom == '0' && wholeTo == '9' ? DIGIT : "[" + wholeFrom + "-" + wholeTo + "]";
      alternatives.add(digit + repeated(lowRest.length()));
    }
    if (!toNines) {
      alternatives.add(last + range("0".repeat(highRest.length()), highRest));
    }
    return either(alternatives);
  }

  private static String repeated(int digits) {
    return switch (digits) {
      case 0 -> "";
      case 1 -> DIGIT;
      default -> DIGIT + "{" + digits + "}";
    };
  }
}
