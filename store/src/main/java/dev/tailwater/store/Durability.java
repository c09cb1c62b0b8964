package dev.tailwater.store;

import java.time.Duration;

/** When a write returns, and so what it survives; see "What survives what" in store-format.md. */
public sealed interface Durability {
  /** Returns when the write is on disk. It survives a power loss. */
  Durability GROUP = new Group();

  /**
   * Returns when the write is in memory. A killed process can lose the last milliseconds, a power
   * loss the last half a minute and more; what is left is always a state that the store had.
   */
  Durability NONE = new None();

  /**
   * As {@link #NONE}, but writes older than this are on disk, also after a power loss. A
   * transaction log treats it as {@link #NONE}, and syncs within its own time: {@code
   * StoreOptions.writeWithin}.
   *
   * @throws IllegalArgumentException when it is shorter than a millisecond
   */
  static Durability periodic(Duration every) {
    return new Periodic(every);
  }

  /** Waits for fdatasync(2); writers that wait at the same time share one. */
  record Group() implements Durability {}

  /** Waits for nothing. */
  record None() implements Durability {}

  /**
   * Waits for nothing; the next fdatasync(2) follows the write within this time.
   *
   * @param every at least a millisecond
   */
  record Periodic(Duration every) implements Durability {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /**
     * Checks the period.
     *
     * @throws IllegalArgumentException when it is shorter than a millisecond
     */
    public Periodic {
      if (every.compareTo(SHORTEST) < 0) {
        throw new IllegalArgumentException("a period of " + every + "; at least 1 ms is needed");
      }
    }
  }
}
