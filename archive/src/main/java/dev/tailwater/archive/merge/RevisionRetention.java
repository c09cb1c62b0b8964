package dev.tailwater.archive.merge;

import java.time.Duration;
import java.util.Optional;

/**
 * For how long bytes are kept that were replaced in their file. They go when packs are merged.
 *
 * @param limit the time since they were replaced; empty: for ever
 */
public record RevisionRetention(Optional<Duration> limit) {
  /** Keeps everything. */
  public static final RevisionRetention ALL = new RevisionRetention(Optional.empty());

  /** Keeps nothing that was replaced. */
  public static final RevisionRetention NONE = of(Duration.ZERO);

  public RevisionRetention {
    if (limit.filter(Duration::isNegative).isPresent()) {
      throw new IllegalArgumentException("a retention is not negative: " + limit);
    }
  }

  public static RevisionRetention of(Duration limit) {
    return new RevisionRetention(Optional.of(limit));
  }

  /**
   * Returns the time up to which bytes must have been replaced that may go.
   *
   * @param nowMillis milliseconds since 1970, by the clock of the agent whose packs are merged
   */
  public long replacedByMillis(long nowMillis) {
    return limit.map(time -> nowMillis - time.toMillis()).orElse(Long.MIN_VALUE);
  }
}
