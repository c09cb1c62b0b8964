package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.WriteCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings of the C functions of {@link WriteCalls}, with one typed method for each. Results are as
 * in C: -1, and errno in the segment of the first argument. Nothing is retried or translated here.
 * Functions that are called together are linked together, when the first of them is called.
 *
 * <p>{@code off_t}, {@code size_t} and {@code ssize_t} are 64 bits wide on both {@linkplain
 * Platform platforms}.
 */
public final class WriteBindings {
  private static final Binder BINDER = new Binder();

  private static final class Blocks {
    static final MethodHandle PWRITE =
        BINDER.ordinary("pwrite", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  }

  private static final class Vectors {
    /**
     * Takes one argument more than the C function: it keeps the memory alive that the vector points
     * to.
     */
    static final MethodHandle PWRITEV2 =
        BINDER.ordinary(
            "pwritev2", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS);
  }

  private static final class Syncs {
    static final MethodHandle FSYNC = BINDER.ordinary("fsync", JAVA_INT, JAVA_INT);
    static final MethodHandle FDATASYNC = BINDER.ordinary("fdatasync", JAVA_INT, JAVA_INT);
    static final MethodHandle SYNCFS = BINDER.ordinary("syncfs", JAVA_INT, JAVA_INT);
  }

  private static final class Sizes {
    static final MethodHandle FALLOCATE =
        BINDER.ordinary("fallocate", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    static final MethodHandle FTRUNCATE =
        BINDER.ordinary("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
  }

  private static final class Attributes {
    static final MethodHandle FCHMOD = BINDER.ordinary("fchmod", JAVA_INT, JAVA_INT, JAVA_INT);
    static final MethodHandle FCHMODAT =
        BINDER.ordinary("fchmodat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    static final MethodHandle FCHOWN =
        BINDER.ordinary("fchown", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    static final MethodHandle FUTIMENS = BINDER.ordinary("futimens", JAVA_INT, JAVA_INT, ADDRESS);
  }

  private WriteBindings() {}

  public static long pwrite(
      MemorySegment errno, int fd, MemorySegment source, long bytes, long offset) {
    try {
      return (long) Blocks.PWRITE.invokeExact(errno, fd, source, bytes, offset);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Calls pwritev2 with one vector, which points to the source. */
  public static long pwritev2(
      MemorySegment errno,
      int fd,
      MemorySegment vector,
      long offset,
      int flags,
      MemorySegment source) {
    try {
      return (long) Vectors.PWRITEV2.invokeExact(errno, fd, vector, 1, offset, flags, source);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int fsync(MemorySegment errno, int fd) {
    try {
      return (int) Syncs.FSYNC.invokeExact(errno, fd);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int fdatasync(MemorySegment errno, int fd) {
    try {
      return (int) Syncs.FDATASYNC.invokeExact(errno, fd);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int syncfs(MemorySegment errno, int fd) {
    try {
      return (int) Syncs.SYNCFS.invokeExact(errno, fd);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int fallocate(MemorySegment errno, int fd, int mode, long offset, long bytes) {
    try {
      return (int) Sizes.FALLOCATE.invokeExact(errno, fd, mode, offset, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int ftruncate(MemorySegment errno, int fd, long bytes) {
    try {
      return (int) Sizes.FTRUNCATE.invokeExact(errno, fd, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int fchmod(MemorySegment errno, int fd, int mode) {
    try {
      return (int) Attributes.FCHMOD.invokeExact(errno, fd, mode);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int fchmodat(
      MemorySegment errno, int dirFd, MemorySegment path, int mode, int flags) {
    try {
      return (int) Attributes.FCHMODAT.invokeExact(errno, dirFd, path, mode, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int fchown(MemorySegment errno, int fd, int user, int group) {
    try {
      return (int) Attributes.FCHOWN.invokeExact(errno, fd, user, group);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int futimens(MemorySegment errno, int fd, MemorySegment times) {
    try {
      return (int) Attributes.FUTIMENS.invokeExact(errno, fd, times);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
