package dev.tailwater.delivery.risk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The bound on what may be at risk: on what a power cut may destroy.
 *
 * @param bytes how many bytes of all files may be written and not yet durable; empty: any number
 * @param age how long ago such a byte may have been seen in its file; empty: any time
 */
public record AtRiskBound(OptionalLong bytes, Optional<Duration> age) {
  /** No bound. */
  public static final AtRiskBound NONE = new AtRiskBound(OptionalLong.empty(), Optional.empty());

  private static final long LEAST_SEGMENT_BYTES = 1 << 20;
  private static final long USUAL_SEGMENT_BYTES = 8 << 20;

  /** Three segments are in flight at once, one is being filled, and half is not yet read. */
  private static final int SEGMENTS_IN_BOUND = 8;

  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB"};

  public AtRiskBound {
    if (bytes.orElse(1) < 1 || age.filter(a -> a.isNegative() || a.isZero()).isPresent()) {
      throw new IllegalArgumentException("a bound on what is at risk is more than nothing");
    }
  }

  /** Returns whether there is no bound. */
  public boolean isNone() {
    return bytes.isEmpty() && age.isEmpty();
  }

  /** Returns the length of a full segment that suits it: an eighth, from 1 to 8 MiB. */
  public long segmentBytes() {
    return bytes.isEmpty()
        ? USUAL_SEGMENT_BYTES
        : Math.clamp(
            bytes.getAsLong() / SEGMENTS_IN_BOUND, LEAST_SEGMENT_BYTES, USUAL_SEGMENT_BYTES);
  }

  /**
   * Returns the age at which bytes should be durable: three quarters of the bound, so that there is
   * time for a delivery that takes longer than usual. Empty when there is no bound on the age.
   */
  public Optional<Duration> maxAge() {
    return age.map(a -> a.multipliedBy(3).dividedBy(4));
  }

  /** Returns the bound as it is written on the command line: {@code 64MiB,5s}. */
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
