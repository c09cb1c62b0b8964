package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.AttributeCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings of the C functions of {@link AttributeCalls}, with one typed method for each. Results
 * are as in C: -1, and errno in the segment of the first argument. Nothing is retried or translated
 * here. The functions are linked at the first use of this class.
 */
public final class AttributeBindings {
  private static final Binder BINDER = new Binder();

  private static final MethodHandle FLISTXATTR =
      BINDER.ordinary("flistxattr", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle FGETXATTR =
      BINDER.ordinary("fgetxattr", JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
  private static final MethodHandle FSETXATTR =
      BINDER.ordinary("fsetxattr", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle FREMOVEXATTR =
      BINDER.ordinary("fremovexattr", JAVA_INT, JAVA_INT, ADDRESS);

  private AttributeBindings() {}

  public static long flistxattr(MemorySegment errno, int fd, MemorySegment target, long bytes) {
    try {
      return (long) FLISTXATTR.invokeExact(errno, fd, target, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static long fgetxattr(
      MemorySegment errno, int fd, MemorySegment name, MemorySegment target, long bytes) {
    try {
      return (long) FGETXATTR.invokeExact(errno, fd, name, target, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int fremovexattr(MemorySegment errno, int fd, MemorySegment name) {
    try {
      return (int) FREMOVEXATTR.invokeExact(errno, fd, name);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int fsetxattr(
      MemorySegment errno, int fd, MemorySegment name, MemorySegment value, long bytes, int flags) {
    try {
      return (int) FSETXATTR.invokeExact(errno, fd, name, value, bytes, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
