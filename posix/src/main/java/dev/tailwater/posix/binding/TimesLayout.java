package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** The two {@code struct timespec} of utimensat(2): the access time, then the modification time. */
public final class TimesLayout {
  private static final long UTIME_OMIT = (1L << 30) - 2;
  private static final int MAX_NANOS = 999_999_999;

  private TimesLayout() {}

  /**
   * Writes a modification time, and that the access time stays.
   *
   * @throws IllegalArgumentException if the nanoseconds are not within a second: the kernel takes
   *     two larger values for "now" and "leave unchanged"
   */
  public static MemorySegment write(MemorySegment struct, long secondsSinceEpoch, int nanos) {
    requireNanos(nanos);
    struct.set(JAVA_LONG, 0, 0L);
    struct.set(JAVA_LONG, 8, UTIME_OMIT);
    struct.set(JAVA_LONG, 16, secondsSinceEpoch);
    struct.set(JAVA_LONG, 24, nanos);
    return struct;
  }

  private static void requireNanos(int nanos) {
    if (nanos < 0 || nanos > MAX_NANOS) {
      throw new IllegalArgumentException("nanos must be 0 to " + MAX_NANOS + ", not " + nanos);
    }
  }
}
