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

  /** How long evicted files are read: later on they are in the page cache again. */
  static final int EVICTED_MILLIS = 100;

  /** Runs of a trial from the page cache: hot, warmed again. */
  private static final int HOT_RUNS = 2;

  /** And evicted: gets, and all keys by one and by many. */
  private static final int EVICTED_RUNS = 3;

  /** The time for everything else in a run. */
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
   * A fifth of the values: room for the twentieth that nine of ten gets go to, and what it takes.
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
