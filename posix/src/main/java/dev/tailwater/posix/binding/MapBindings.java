package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.MapCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings of the C functions of {@link MapCalls}, with one typed method for each. Results are as
 * in C: -1, and errno in the segment of the first argument. Nothing is retried or translated here.
 * The functions are linked at the first use of this class.
 */
public final class MapBindings {
  private static final Binder BINDER = new Binder();

  /** Returns the address as a number: no segment exists for the mapping yet. */
  private static final MethodHandle MMAP =
      BINDER.ordinary(
          "mmap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);

  /** Takes the address as a number: the segment is no longer alive when it is unmapped. */
  private static final MethodHandle MUNMAP =
      BINDER.ordinary("munmap", JAVA_INT, JAVA_LONG, JAVA_LONG);

  private static final MethodHandle MADVISE =
      BINDER.ordinary("madvise", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle MINCORE =
      BINDER.ordinary("mincore", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS);

  private MapBindings() {}

  public static long mmap(
      MemorySegment errno, long bytes, int protection, int flags, int fd, long offset) {
    try {
      return (long) MMAP.invokeExact(errno, 0L, bytes, protection, flags, fd, offset);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int munmap(MemorySegment errno, long address, long bytes) {
    try {
      return (int) MUNMAP.invokeExact(errno, address, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int madvise(MemorySegment errno, MemorySegment mapping, int advice) {
    try {
      return (int) MADVISE.invokeExact(errno, mapping, mapping.byteSize(), advice);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int mincore(MemorySegment errno, MemorySegment mapping, MemorySegment target) {
    try {
      return (int) MINCORE.invokeExact(errno, mapping, mapping.byteSize(), target);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
