package dev.tailwater.store.datafile.write;

import java.util.function.LongSupplier;

/**
 * The times at which writes for which nobody waits must be written and synced. Arming needs the
 * append lock; the other methods need the committer's lock, except {@link #suffice}, which takes
 * none, so that most writes need no lock.
 */
final class CommitTimers {
  /** Stands for no such time. */
  static final long NEVER = Long.MAX_VALUE;

  /** Longer times are treated as this one, which can be added to without overflow. */
  private static final long FAR_NANOS = Long.MAX_VALUE / 4;

  private final LongSupplier nanoTime;
  private final long writeWithinNanos;
  private volatile boolean writeArmed;

  /**
   * The shortest period of the writes that wait for the next sync; {@link #NEVER} when none does.
   */
  private volatile long syncWithinNanos = NEVER;

  // Times of System.nanoTime: only differences have a meaning.
  private long writeAtNanos;
  private long syncAtNanos;

  CommitTimers(LongSupplier nanoTime, long writeWithinNanos) {
    this.nanoTime = nanoTime;
    this.writeWithinNanos = Math.min(writeWithinNanos, FAR_NANOS);
  }

  /**
   * Returns whether what was just appended will be written and synced in time without arming.
   *
   * @param withinNanos until its sync; {@link #NEVER}
   */
  boolean suffice(long withinNanos) {
    // A period that is no longer was armed earlier, so it ends earlier.
    return writeArmed && syncWithinNanos <= withinNanos;
  }

  /** Arms the timers for something that was appended. */
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

  /** Called before everything appended so far is written. */
  void writing() {
    writeArmed = false;
  }

  /** Called before everything appended so far is written and synced. */
  void syncing() {
    writeArmed = false;
    syncWithinNanos = NEVER;
  }

  /** Returns the time until the next write is due, 0 when it is; {@link #NEVER}. */
  long writeDueInNanos() {
    return writeArmed ? Math.max(0, writeAtNanos - nanoTime.getAsLong()) : NEVER;
  }

  /** Returns the time until the next sync is due, 0 when it is; {@link #NEVER}. */
  long syncDueInNanos() {
    return syncWithinNanos == NEVER ? NEVER : Math.max(0, syncAtNanos - nanoTime.getAsLong());
  }
}
