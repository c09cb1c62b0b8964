package dev.tailwater.delivery.tail;

import dev.tailwater.posix.value.FileStatus;
import java.util.concurrent.TimeUnit;

/**
 * Whether a write may leave the modification time of a file as it is, since the file system counts
 * it in seconds, as FAT, ext3, ext4 with small inodes and SFTP do. Such a time has no fraction, and
 * a write in the same second gives the file the same one. Not thread-safe: its tail guards it.
 */
final class TimeSteps {
  /** Longer than the steps of any file system: FAT counts seconds in twos. */
  static final long LONGEST_MILLIS = 2_000;

  private boolean isKnown;
  private long timeNanos;
  private long sinceNanos;

  /**
   * Returns whether a write that comes after this look may leave the time as it is.
   *
   * @param nowNanos of a clock that nobody sets: a time that was seen for longer than any step is
   *     over, whatever the clock of the file system says
   */
  boolean mayRepeat(FileStatus status, long nowMillis, long nowNanos) {
    long time = status.modificationTimeNanos();
    if (time % TimeUnit.SECONDS.toNanos(1) != 0
        || nowMillis - TimeUnit.NANOSECONDS.toMillis(time) >= LONGEST_MILLIS) {
      return false;
    }
    if (isKnown && timeNanos == time) {
      return nowNanos - sinceNanos < TimeUnit.MILLISECONDS.toNanos(LONGEST_MILLIS);
    }
    isKnown = true;
    timeNanos = time;
    sinceNanos = nowNanos;
    return true;
  }
}
