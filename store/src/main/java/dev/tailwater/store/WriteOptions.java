package dev.tailwater.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How one write is made.
 *
 * @param durability empty: that of the store
 * @param timeToLive how long the key has this value; empty: until it is overwritten or removed
 * @param tags names under which the key can be found; none is empty
 */
public record WriteOptions(
    Optional<Durability> durability, Optional<Duration> timeToLive, Set<String> tags) {
  /** Longest sum of a key's tags in UTF-8, with 2 bytes for each. */
  public static final int MAX_TAG_BYTES = 65_535;

  private static final WriteOptions DEFAULTS =
      new WriteOptions(Optional.empty(), Optional.empty(), Set.of());

  public WriteOptions {
    tags = Set.copyOf(tags);
    int bytes = 0;
    for (String tag : tags) {
      int length = tag.getBytes(StandardCharsets.UTF_8).length;
      if (length == 0) {
        throw new IllegalArgumentException("a tag is empty");
      }
      bytes = Math.addExact(bytes, 2 + length);
    }
    if (bytes > MAX_TAG_BYTES) {
      throw new IllegalArgumentException(
          "the tags take " + bytes + " bytes; at most " + MAX_TAG_BYTES + " are allowed");
    }
    if (timeToLive.isPresent() && timeToLive.get().toMillis() < 1) {
      throw new IllegalArgumentException(
          "a time to live of " + timeToLive.get() + "; at least 1 ms is needed");
    }
  }

  /** The store's durability, no end, no tags. */
  public static WriteOptions defaults() {
    return DEFAULTS;
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
