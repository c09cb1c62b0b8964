package dev.tailwater.store;

import java.util.OptionalLong;
import java.util.Set;

/**
 * A key and all that the store knows of it. The arrays belong to the receiver.
 *
 * @param version number of the write that made it; later writes of the store have higher numbers
 * @param expiresAtMillis when it expires, in milliseconds since 1970; empty: never
 * @param tags names under which the key can be found
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record Entry(
    byte[] key, byte[] value, long version, OptionalLong expiresAtMillis, Set<String> tags) {
  /** Copies the tags; the arrays are not copied. */
  public Entry {
    tags = Set.copyOf(tags);
  }

  /** Returns whether it has expired at this time. */
  public boolean isExpired(long nowMillis) {
    return expiresAtMillis.isPresent() && expiresAtMillis.getAsLong() <= nowMillis;
  }
}
