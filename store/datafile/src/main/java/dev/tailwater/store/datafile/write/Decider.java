package dev.tailwater.store.datafile.write;

import dev.tailwater.store.datafile.format.RecordData;
import org.jspecify.annotations.Nullable;

/** Makes the new record of a key from the current one. Must not wait. */
@FunctionalInterface
interface Decider {
  /**
   * Returns the record to append; null for none.
   *
   * @param current null when there is no such key, or the current record was not asked for
   */
  @Nullable RecordData decide(@Nullable RecordData current, long sequence);
}
