package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.RangeCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings of the C functions of {@link RangeCalls}, with one typed method for each. Results are as
 * in C: -1, and errno in the segment of the first argument. Nothing is retried or translated here.
 * The functions are linked at the first use of this class.
 */
public final class RangeBindings {
  private static final Binder BINDER = new Binder();

  private static final MethodHandle LSEEK =
      BINDER.ordinary("lseek", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
  private static final MethodHandle COPY_FILE_RANGE =
      BINDER.ordinary(
          "copy_file_range", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);

  private RangeBindings() {}

  public static long lseek(MemorySegment errno, int fd, long offset, int whence) {
    try {
      return (long) LSEEK.invokeExact(errno, fd, offset, whence);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static long copyFileRange(
      MemorySegment errno,
      int fromFd,
      MemorySegment fromOffset,
      int toFd,
      MemorySegment toOffset,
      long bytes) {
    try {
      return (long)
          COPY_FILE_RANGE.invokeExact(errno, fromFd, fromOffset, toFd, toOffset, bytes, 0);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
