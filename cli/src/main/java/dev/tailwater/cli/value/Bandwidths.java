package dev.tailwater.cli.value;

import dev.tailwater.delivery.route.Bandwidth;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bandwidths as people write them: {@code 10MiB/s}, or with times of day, {@code 08:00-18:00
 * 2MiB/s, 22:00-06:00 50MiB/s, 10MiB/s}. The first time that fits counts; the rate without a time
 * is for the rest of the day, and without one the rest has no limit.
 */
public final class Bandwidths {
  private static final String CLOCK = "([01][0-9]|2[0-3]):([0-5][0-9])";
  private static final Pattern PART =
      Pattern.compile("(?:(?:" + CLOCK + ")-(?:" + CLOCK + "|24:00)\\s+)?([0-9]+[A-Za-z]+)/s");

  private Bandwidths() {}

  /**
   * Reads a bandwidth.
   *
   * @throws IllegalArgumentException if it is none; the message says what is expected
   */
  public static Bandwidth parse(String text) {
    List<Bandwidth.Window> windows = new ArrayList<>();
    OptionalLong otherwise = OptionalLong.empty();
    for (String part : text.split(",", -1)) {
      Matcher matcher = PART.matcher(part.strip());
      if (!matcher.matches() || otherwise.isPresent()) {
        throw expected(text);
      }
      long bytesPerSecond = bytes(matcher.group(5), text);
      if (matcher.group(1) == null) {
        otherwise = OptionalLong.of(bytesPerSecond);
      } else {
        windows.add(
            new Bandwidth.Window(
                time(matcher.group(1), matcher.group(2)),
                matcher.group(3) == null
                    ? LocalTime.MIDNIGHT
                    : time(matcher.group(3), matcher.group(4)),
                bytesPerSecond));
      }
    }
    return new Bandwidth(windows, otherwise);
  }

  private static LocalTime time(String hour, String minute) {
    return LocalTime.of(Integer.parseInt(hour), Integer.parseInt(minute));
  }

  private static long bytes(String size, String text) {
    try {
      return ByteSizes.parse(size);
    } catch (IllegalArgumentException e) {
      IllegalArgumentException better = expected(text);
      better.addSuppressed(e);
      throw better;
    }
  }

  private static IllegalArgumentException expected(String text) {
    return new IllegalArgumentException(
        "expected a bandwidth such as 10MiB/s or '08:00-18:00 2MiB/s, 10MiB/s', not '"
            + text
            + "'");
  }
}
