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
 * Links C functions. Every handle's first argument is the segment that takes errno, so that it is
 * saved before the JVM can make another call on the same thread.
 *
 * <p>A function that the C library does not have becomes one that sets errno to ENOSYS: it fails
 * when it is called, as an unknown system call does, and not when the table is loaded.
 */
public final class Binder {
  /** Where errno lies in the segment that the linker fills. */
  static final long ERRNO_OFFSET =
      Linker.Option.captureStateLayout().byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  /** Bytes that the linker fills. */
  static final long CAPTURE_BYTES = Linker.Option.captureStateLayout().byteSize();

  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

  private final Linker linker = Linker.nativeLinker();
  private final SymbolLookup symbols = linker.defaultLookup();

  /** A function that may block: the thread is parked at a safepoint while it runs. */
  public MethodHandle ordinary(String name, MemoryLayout result, MemoryLayout... arguments) {
    return link(name, FunctionDescriptor.of(result, arguments), ERRNO);
  }

  /** A function whose arguments from {@code firstVariadic} on are an ellipsis in C. */
  MethodHandle variadic(
      String name, int firstVariadic, MemoryLayout result, MemoryLayout... arguments) {
    return link(
        name,
        FunctionDescriptor.of(result, arguments),
        ERRNO,
        Linker.Option.firstVariadicArg(firstVariadic));
  }

  /** A function that takes heap segments; no safepoint, and so no collection, while it runs. */
  MethodHandle critical(String name, MemoryLayout result, MemoryLayout... arguments) {
    return link(
        name, FunctionDescriptor.of(result, arguments), ERRNO, Linker.Option.critical(true));
  }

  /** A function that does not fail by errno, so without its segment. It may take long. */
  public MethodHandle withoutErrno(MemorySegment address, FunctionDescriptor type) {
    return link(address, type);
  }

  /** As {@link #withoutErrno}, but takes heap segments, and so {@linkplain #critical critical}. */
  public MethodHandle criticalWithoutErrno(MemorySegment address, FunctionDescriptor type) {
    return link(address, type, Linker.Option.critical(true));
  }

  /**
   * The address of a C function.
   *
   * @throws LinkageError when the C library does not have it
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

  /** A handle of that type, but with a leading errno segment, that fails with ENOSYS. */
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

  /** What is thrown for anything that came out of a handle: C functions throw nothing. */
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
