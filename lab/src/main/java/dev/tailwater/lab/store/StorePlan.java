package dev.tailwater.lab.store;

import dev.tailwater.lab.measure.Effort;
import java.time.Duration;
import java.util.List;

/**
 * How much {@code store-cache} measures.
 *
 * @param records in each store
 * @param millis how long gets from the page cache are measured, a multiple of 100
 */
record StorePlan(List<StoreVariant> variants, int records, int millis, int warmUps, int rounds) {
  static final int VALUE_BYTES = 400;
  static final int THREADS = 2;

  /** The number of keys that are read in one call. */
  static final int KEYS_AT_A_TIME = 64;

  /** How long evicted files are read; after a longer time they are in the page cache again. */
  static final int EVICTED_MILLIS = 100;

  /** The runs of a trial from the page cache: hot, and warmed again. */
  private static final int HOT_RUNS = 2;

  /** The runs of a trial after an eviction: gets, and all keys one at a time and many at a time. */
  private static final int EVICTED_RUNS = 3;

  /** The time for all other work in a run. */
  private static final int SPARE_MILLIS = 50;

  StorePlan {
    variants = List.copyOf(variants);
  }

  static StorePlan of(Effort effort) {
    List<StoreVariant> some =
        List.of(StoreVariant.LOG, StoreVariant.DATA_FILES, StoreVariant.DATA_FILES_CACHED);
    List<StoreVariant> all = List.of(StoreVariant.values());
    return effort.pick(
        new StorePlan(some, 60_000, 200, 1, 3),
        new StorePlan(all, 250_000, 500, 1, 5),
        new StorePlan(all, 500_000, 1_000, 1, 9));
  }

  /**
   * Returns the size of the cache, a fifth of the values: room for the twentieth to which nine of
   * ten gets go, and for its overhead.
   */
  long cacheBytes() {
    return Math.max(1, ((long) records * VALUE_BYTES / 5) >> 20) << 20;
  }

  private int trialMillis() {
    return HOT_RUNS * (millis + SPARE_MILLIS) + EVICTED_RUNS * (EVICTED_MILLIS + SPARE_MILLIS);
  }

  Duration expectedTime() {
    return Duration.ofSeconds(2)
        .plusMillis((long) (warmUps + rounds) * variants.size() * trialMillis());
  }
}
