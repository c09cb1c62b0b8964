package dev.tailwater.store;

import java.util.OptionalLong;
import java.util.Set;

/**
 * A key and all that the store knows of it. The arrays belong to whoever got the entry.
 *
 * @param version number of the write that made it: a later write of the store has a higher one
 * @param expiresAtMillis when it ends, in milliseconds since 1970; empty when it does not
 * @param tags names under which the key can be found
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record Entry(
    byte[] key, byte[] value, long version, OptionalLong expiresAtMillis, Set<String> tags) {
  public Entry {
    tags = Set.copyOf(tags);
  }

  /** Whether it has ended at this time. */
  public boolean isExpired(long nowMillis) {
    return expiresAtMillis.isPresent() && expiresAtMillis.getAsLong() <= nowMillis;
  }
}
