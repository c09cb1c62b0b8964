package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.tailwater.posix.Errno;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;

/**
 * A linker of C functions. The first argument of a handle is the segment that receives errno, so
 * that errno is saved before the JVM can make another call on the same thread.
 *
 * <p>A function that the C library does not have becomes a handle that sets errno to ENOSYS. It
 * fails when it is called, like an unknown system call, and not when the bindings are loaded.
 */
public final class Binder {
  /** The offset of errno in the segment that the linker fills. */
  static final long ERRNO_OFFSET =
      Linker.Option.captureStateLayout().byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  /** The size of the segment that the linker fills. */
  static final long CAPTURE_BYTES = Linker.Option.captureStateLayout().byteSize();

  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

  private final Linker linker = Linker.nativeLinker();
  private final SymbolLookup symbols = linker.defaultLookup();

  /**
   * Links a function that may block: the thread does not delay safepoints while the function runs.
   */
  public MethodHandle ordinary(String name, MemoryLayout result, MemoryLayout... arguments) {
    return link(name, FunctionDescriptor.of(result, arguments), ERRNO);
  }

  /** Links a variadic function; the arguments from index {@code firstVariadic} on are variadic. */
  MethodHandle variadic(
      String name, int firstVariadic, MemoryLayout result, MemoryLayout... arguments) {
    return link(
        name,
        FunctionDescriptor.of(result, arguments),
        ERRNO,
        Linker.Option.firstVariadicArg(firstVariadic));
  }

  /**
   * Links a function that takes heap segments; no safepoint or garbage collection during a call.
   */
  MethodHandle critical(String name, MemoryLayout result, MemoryLayout... arguments) {
    return link(
        name, FunctionDescriptor.of(result, arguments), ERRNO, Linker.Option.critical(true));
  }

  /** Links a function that reports no errno, without a segment for it. The call may take long. */
  public MethodHandle withoutErrno(MemorySegment address, FunctionDescriptor type) {
    return link(address, type);
  }

  /**
   * Links a {@linkplain #critical critical} function that takes heap segments and reports no errno.
   */
  public MethodHandle criticalWithoutErrno(MemorySegment address, FunctionDescriptor type) {
    return link(address, type, Linker.Option.critical(true));
  }

  /**
   * Returns the address of a C function.
   *
   * @throws LinkageError if the C library does not have it
   */
  public MemorySegment address(String name) {
    return symbols
        .find(name)
        .orElseThrow(() -> new LinkageError("the C library has no function " + name));
  }

  private MethodHandle link(String name, FunctionDescriptor type, Linker.Option... options) {
    Optional<MemorySegment> address = symbols.find(name);
    return address.isPresent() ? link(address.get(), type, options) : missing(type.toMethodType());
  }

  @SuppressWarnings("restricted") // the one place where native code is linked
  private MethodHandle link(
      MemorySegment address, FunctionDescriptor type, Linker.Option... options) {
    return linker.downcallHandle(address, type, options);
  }

  /** Creates a handle that fails with ENOSYS, of this type plus a leading errno segment. */
  static MethodHandle missing(MethodType type) {
    try {
      MethodHandle handle =
          MethodHandles.lookup()
              .findStatic(
                  Binder.class,
                  "notImplemented",
                  MethodType.methodType(int.class, MemorySegment.class));
      return MethodHandles.dropArguments(handle, 1, type.parameterList())
          .asType(type.insertParameterTypes(0, MemorySegment.class));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no stand-in for a missing function", e);
    }
  }

  static int notImplemented(MemorySegment errno) {
    errno.set(JAVA_INT, ERRNO_OFFSET, Errno.ENOSYS.number());
    return -1;
  }

  /**
   * Converts a throwable that came out of a handle, which C functions never throw, for rethrowing.
   */
  public static RuntimeException unexpected(Throwable thrown) {
    if (thrown instanceof RuntimeException e) {
      return e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
    throw new LinkageError("a native call threw a checked exception", thrown);
  }
}
