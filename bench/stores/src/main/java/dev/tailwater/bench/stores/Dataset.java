package dev.tailwater.bench.stores;

import dev.tailwater.lab.store.StoreRecords;

/**
 * Records that all engines are loaded with: numbers 0 to count.
 *
 * @param name as in the results
 */
record Dataset(String name, long count, int valueBytes) {
  StoreRecords records() {
    return new StoreRecords(valueBytes);
  }

  /** The same with other records' count. */
  Dataset withCount(long other) {
    return new Dataset(name, other, valueBytes);
  }

  /** Bytes of keys and values. */
  long bytes() {
    return count * (StoreRecords.KEY_BYTES + valueBytes);
  }
}
