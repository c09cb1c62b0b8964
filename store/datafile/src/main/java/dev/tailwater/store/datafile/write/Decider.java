package dev.tailwater.store.datafile.write;

import dev.tailwater.store.datafile.format.RecordData;
import org.jspecify.annotations.Nullable;

/** Makes the new record of a key from the one that is there. Must not wait. */
@FunctionalInterface
interface Decider {
  /**
   * What to append; null for nothing.
   *
   * @param current null when there is no such key, or {@code current} was not asked for
   */
  @Nullable RecordData decide(@Nullable RecordData current, long sequence);
}
