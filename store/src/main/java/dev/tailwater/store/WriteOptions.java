package dev.tailwater.store;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Options of a write.
 *
 * @param durability empty: the store's own
 * @param timeToLive how long the key has this value, at least 1 ms and at most {@link
 *     #MAX_TIME_TO_LIVE}; empty: until it is overwritten or removed
 * @param tags names under which the key can be found: Unicode text that is not empty, together at
 *     most {@link #MAX_TAG_BYTES}
 */
public record WriteOptions(
    Optional<Durability> durability, Optional<Duration> timeToLive, Set<String> tags) {
  /** Longest sum of a key's tags in UTF-8, with 2 bytes for each. */
  public static final int MAX_TAG_BYTES = 65_535;

  /** Longest time to live: a clock that shows less in milliseconds does not overflow with it. */
  public static final Duration MAX_TIME_TO_LIVE = Duration.ofMillis(Long.MAX_VALUE / 2);

  private static final Duration MIN_TIME_TO_LIVE = Duration.ofMillis(1);

  private static final WriteOptions DEFAULTS =
      new WriteOptions(Optional.empty(), Optional.empty(), Set.of());

  /**
   * Checks time to live and tags.
   *
   * @throws IllegalArgumentException when one of them is not as described
   */
  public WriteOptions {
    tags = Set.copyOf(tags);
    long bytes = tagBytes(tags);
    if (bytes > MAX_TAG_BYTES) {
      throw new IllegalArgumentException(
          "the tags take " + bytes + " bytes; at most " + MAX_TAG_BYTES + " are allowed");
    }
    timeToLive.ifPresent(WriteOptions::check);
  }

  private static long tagBytes(Set<String> tags) {
    long bytes = 0;
    for (String tag : tags) {
      bytes += 2 + Limits.tagBytes(tag);
    }
    return bytes;
  }

  private static void check(Duration timeToLive) {
    if (timeToLive.compareTo(MIN_TIME_TO_LIVE) < 0) {
      throw new IllegalArgumentException(
          "a time to live of " + timeToLive + "; at least 1 ms is needed");
    }
    if (timeToLive.compareTo(MAX_TIME_TO_LIVE) > 0) {
      throw new IllegalArgumentException(
          "a time to live of "
              + timeToLive
              + "; at most "
              + MAX_TIME_TO_LIVE
              + " is possible; without one, the value stays until it is replaced");
    }
  }

  /** Returns the store's durability, no expiry and no tags. */
  public static WriteOptions defaults() {
    return DEFAULTS;
  }

  /** Returns what the tags take in a file, with 2 bytes for each. */
  int tagBytes() {
    return (int) tagBytes(tags);
  }

  /** These options with this durability. */
  public WriteOptions withDurability(Durability other) {
    return new WriteOptions(Optional.of(other), timeToLive, tags);
  }

  /** These options with this time to live. */
  public WriteOptions withTimeToLive(Duration other) {
    return new WriteOptions(durability, Optional.of(other), tags);
  }

  /** These options with these tags. */
  public WriteOptions withTags(Set<String> other) {
    return new WriteOptions(durability, timeToLive, new TreeSet<>(other));
  }
}
