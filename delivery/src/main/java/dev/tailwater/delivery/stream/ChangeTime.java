package dev.tailwater.delivery.stream;

import java.util.OptionalLong;

/**
 * The change time of a stream's file, as far as it vouches for bytes that were read. The kernel
 * sets it whenever anything of the file changes, and no program can: whoever sets the modification
 * time back to hide a write gives the file a new change time. Not thread-safe: its stream guards
 * it.
 */
final class ChangeTime {
  /** How far a file system may round times down: a change from now on has a later time. */
  private static final long HAS_PASSED_MILLIS = 2_000;

  /** Whether nothing was read of the file before the look that comes next. */
  private boolean unread;

  private long nanos;

  /** Whether no write before that time can have gone unnoticed. */
  private boolean explained;

  /** Whether every change after the last look has a later time. */
  private boolean passed;

  private ChangeTime(boolean unread, OptionalLong saved) {
    this.unread = unread;
    this.nanos = saved.orElse(0);
    this.explained = saved.isPresent();
    this.passed = saved.isPresent();
  }

  /** Creates the time of a file of which nothing was read yet. */
  static ChangeTime unread() {
    return new ChangeTime(true, OptionalLong.empty());
  }

  /** Creates the time that an earlier run has saved; empty if it could not vouch for anything. */
  static ChangeTime saved(OptionalLong nanos) {
    return new ChangeTime(false, nanos);
  }

  /**
   * Takes in a look at the file.
   *
   * @param modificationNanos if it is the same, the last change was a write, and every write that
   *     is noticed by its time was
   */
  void seen(long changeNanos, long modificationNanos, long nowMillis) {
    explained = unread || changeNanos == modificationNanos || (explained && changeNanos == nanos);
    unread = false;
    nanos = changeNanos;
    passed = nowMillis - Math.floorDiv(changeNanos, 1_000_000L) >= HAS_PASSED_MILLIS;
  }

  /** Returns the time if a file that still has it holds the bytes that were read; else empty. */
  OptionalLong vouching() {
    return explained && passed ? OptionalLong.of(nanos) : OptionalLong.empty();
  }
}
