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
  private static final Pattern FORM = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");
  private static final Map<String, Long> MILLIS_PER_UNIT =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  private Durations() {}

  /**
   * Reads a duration.
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
    long number = Long.parseLong(matcher.group(1));
    if (number > Long.MAX_VALUE / unitMillis) {
      throw new IllegalArgumentException(
          "'" + text + "' is too long: expected a duration such as 500ms, 1s, 2m or 1h");
    }
    return Duration.ofMillis(number * unitMillis);
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
