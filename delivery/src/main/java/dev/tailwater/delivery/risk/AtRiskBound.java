package dev.tailwater.delivery.risk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How much may be at risk at most: what a power cut may take.
 *
 * @param bytes written and not yet durable, of all files; empty: any number
 * @param age since a byte was seen in its file; empty: any
 */
public record AtRiskBound(OptionalLong bytes, Optional<Duration> age) {
  /** Nothing was said about it. */
  public static final AtRiskBound NONE = new AtRiskBound(OptionalLong.empty(), Optional.empty());

  private static final long LEAST_SEGMENT_BYTES = 1 << 20;
  private static final long USUAL_SEGMENT_BYTES = 8 << 20;

  /** Three segments are on their way at once, one is being filled, and half is not yet read. */
  private static final int SEGMENTS_IN_BOUND = 8;

  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB"};

  public AtRiskBound {
    if (bytes.orElse(1) < 1 || age.filter(a -> a.isNegative() || a.isZero()).isPresent()) {
      throw new IllegalArgumentException("a bound on what is at risk is more than nothing");
    }
  }

  /** Whether there is none. */
  public boolean isNone() {
    return bytes.isEmpty() && age.isEmpty();
  }

  /** The length of a full segment that suits it: an eighth, from 1 to 8 MiB. */
  public long segmentBytes() {
    return bytes.isEmpty()
        ? USUAL_SEGMENT_BYTES
        : Math.clamp(
            bytes.getAsLong() / SEGMENTS_IN_BOUND, LEAST_SEGMENT_BYTES, USUAL_SEGMENT_BYTES);
  }

  /**
   * The age at which bytes should be durable for it: three quarters, so that there is time for a
   * delivery that takes longer than usual. Empty when there is no bound on the age.
   */
  public Optional<Duration> maxAge() {
    return age.map(a -> a.multipliedBy(3).dividedBy(4));
  }

  /** As it is written on the command line: {@code 64MiB,5s}. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    bytes.ifPresent(b -> parts.add(exactly(b)));
    age.ifPresent(
        a -> parts.add(a.toMillis() % 1000 == 0 ? a.toSeconds() + "s" : a.toMillis() + "ms"));
    return String.join(",", parts);
  }

  private static String exactly(long bytes) {
    int unit = 0;
    long number = bytes;
    while (unit < UNITS.length - 1 && number % 1024 == 0) {
      number /= 1024;
      unit++;
    }
    return number + UNITS[unit];
  }
}
