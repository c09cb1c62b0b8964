package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings of the C library's memcpy, without its result, which is the target. It makes no system
 * call, and {@code size_t} is 64 bits wide on both {@linkplain Platform platforms}.
 */
public final class CopyBindings {
  private static final Binder BINDER = new Binder();
  private static final MemorySegment ADDRESS_OF_MEMCPY = BINDER.address("memcpy");
  private static final FunctionDescriptor TYPE_OF_MEMCPY =
      FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_LONG);

  private static final MethodHandle MEMCPY = BINDER.withoutErrno(ADDRESS_OF_MEMCPY, TYPE_OF_MEMCPY);
  private static final MethodHandle MEMCPY_CRITICAL =
      BINDER.criticalWithoutErrno(ADDRESS_OF_MEMCPY, TYPE_OF_MEMCPY);

  private CopyBindings() {}

  public static void memcpy(MemorySegment target, MemorySegment source, long bytes) {
    try {
      MEMCPY.invokeExact(target, source, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Calls memcpy, also from and to the heap, without a safepoint during the call. */
  public static void memcpyCritical(MemorySegment target, MemorySegment source, long bytes) {
    try {
      MEMCPY_CRITICAL.invokeExact(target, source, bytes);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
