package dev.tailwater.cli.value;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: a whole number and a unit, {@code 500ms}, {@code 25s}, {@code
 * 2m}.
 */
public final class Durations {
  /** A hundred years: in nanoseconds it fits a {@code long}, and can be added to a clock. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private static final Pattern FORM = Pattern.compile("0*([0-9]+)(ms|s|m|h|d)");

  /** More than the longest has in any unit; so many fit a {@code long}. */
  private static final int MOST_DIGITS = 18;

  private static final Map<String, Long> MILLIS_PER_UNIT =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  private Durations() {}

  /**
   * Reads a duration, of 36500 days at most.
   *
   * @throws IllegalArgumentException if it is not one; the message says what is expected
   */
  public static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "expected a duration such as 500ms, 1s, 2m or 1h, not '" + text + "'");
    }
    long unitMillis = MILLIS_PER_UNIT.getOrDefault(matcher.group(2), 1L);
    String number = matcher.group(1);
    long most = LONGEST.toMillis() / unitMillis;
    if (number.length() > MOST_DIGITS || Long.parseLong(number) > most) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is too long: expected at most "
              + format(LONGEST)
              + ", such as 500ms or 1h");
    }
    return Duration.ofMillis(Long.parseLong(number) * unitMillis);
  }

  /** Writes a duration in the largest unit that keeps it whole: the reverse of {@link #parse}. */
  public static String format(Duration duration) {
    long millis = duration.toMillis();
    for (String unit : new String[] {"d", "h", "m", "s"}) {
      long unitMillis = MILLIS_PER_UNIT.getOrDefault(unit, 1L);
      if (millis != 0 && millis % unitMillis == 0) {
        return millis / unitMillis + unit;
      }
    }
    return millis + "ms";
  }
}
