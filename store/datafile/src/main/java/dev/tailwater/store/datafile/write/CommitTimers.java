package dev.tailwater.store.datafile.write;

import java.util.function.LongSupplier;

/**
 * When what nobody waits for has to be written, and when to be synced. Arming is for one thread at
 * a time, which holds the append lock; the rest for whoever holds the committer's lock. That most
 * writes find armed what they need costs them no lock.
 */
final class CommitTimers {
  /** There is no such time. */
  static final long NEVER = Long.MAX_VALUE;

  /** Times further away are as good as this one, and can be added to without overflow. */
  private static final long FAR_NANOS = Long.MAX_VALUE / 4;

  private final LongSupplier nanoTime;
  private final long writeWithinNanos;
  private volatile boolean writeArmed;

  /** The shortest period of those that wait for the next sync; {@link #NEVER} when none does. */
  private volatile long syncWithinNanos = NEVER;

  // Times of the clock, which may only be subtracted from one another.
  private long writeAtNanos;
  private long syncAtNanos;

  CommitTimers(LongSupplier nanoTime, long writeWithinNanos) {
    this.nanoTime = nanoTime;
    this.writeWithinNanos = Math.min(writeWithinNanos, FAR_NANOS);
  }

  /**
   * Whether what was just appended is written and synced in time without arming.
   *
   * @param withinNanos until its sync; {@link #NEVER}
   */
  boolean suffice(long withinNanos) {
    // A period that is no longer was armed earlier, so it ends earlier.
    return writeArmed && syncWithinNanos <= withinNanos;
  }

  /** Something was appended. */
  void arm(long withinNanos) {
    long now = nanoTime.getAsLong();
    if (!writeArmed) {
      writeAtNanos = now + writeWithinNanos;
      writeArmed = true;
    }
    if (withinNanos < syncWithinNanos) {
      long at = now + Math.min(withinNanos, FAR_NANOS);
      if (syncWithinNanos == NEVER || at - syncAtNanos < 0) {
        syncAtNanos = at;
      }
      syncWithinNanos = withinNanos;
    }
  }

  /** Everything appended so far is about to be written. */
  void writing() {
    writeArmed = false;
  }

  /** Everything appended so far is about to be written and synced. */
  void syncing() {
    writeArmed = false;
    syncWithinNanos = NEVER;
  }

  /** How long until the next write is due, 0 when it is; {@link #NEVER}. */
  long writeDueInNanos() {
    return writeArmed ? Math.max(0, writeAtNanos - nanoTime.getAsLong()) : NEVER;
  }

  /** How long until the next sync is due, 0 when it is; {@link #NEVER}. */
  long syncDueInNanos() {
    return syncWithinNanos == NEVER ? NEVER : Math.max(0, syncAtNanos - nanoTime.getAsLong());
  }
}
