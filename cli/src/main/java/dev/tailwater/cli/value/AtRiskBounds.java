package dev.tailwater.cli.value;

import dev.tailwater.delivery.risk.AtRiskBound;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Bounds on what is at risk as people write them: {@code 64MiB,5s}, or one of the two. */
public final class AtRiskBounds {
  private static final long LEAST_BYTES = 1 << 20;
  private static final Duration LEAST_AGE = Duration.ofMillis(100);

  private AtRiskBounds() {}

  /**
   * Reads a bound.
   *
   * @throws IllegalArgumentException if it is not one; the message says what is expected
   */
  public static AtRiskBound parse(String text) {
    OptionalLong bytes = OptionalLong.empty();
    Optional<Duration> age = Optional.empty();
    for (String part : text.split(",", -1)) {
      String one = part.strip();
      boolean isSize = one.endsWith("B");
      if (isSize ? bytes.isPresent() : age.isPresent()) {
        throw new IllegalArgumentException(
            "expected one size and one duration at most, such as 64MiB,5s, not '" + text + "'");
      }
      if (isSize) {
        bytes = OptionalLong.of(bytes(one));
      } else {
        age = Optional.of(age(one));
      }
    }
    return new AtRiskBound(bytes, age);
  }

  /** Reads its number of bytes. */
  public static long bytes(String text) {
    long bytes = ByteSizes.parse(text);
    if (bytes < LEAST_BYTES) {
      throw new IllegalArgumentException(
          "expected at least " + ByteSizes.format(LEAST_BYTES) + ", not '" + text + "'");
    }
    return bytes;
  }

  /** Reads its age. */
  public static Duration age(String text) {
    Duration age;
    try {
      age = Durations.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "expected a size and a duration of at most 36500d, such as 64MiB,5s, or one of them, not '"
              + text
              + "'",
          e);
    }
    if (age.compareTo(LEAST_AGE) < 0) {
      throw new IllegalArgumentException(
          "expected at least " + Durations.format(LEAST_AGE) + ", not '" + text + "'");
    }
    return age;
  }
}
