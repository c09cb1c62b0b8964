package dev.tailwater.posix.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.binding.Binder;
import dev.tailwater.posix.binding.Platform;
import dev.tailwater.posix.value.CopyEngine;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Bindings of the functions of {@code streaming_copy.c}, which make no system call. The library is
 * opened once for the process, at the first use of this class.
 */
final class StreamingBindings {
  private static final String LIBRARY_NAME = "tailwater-copy";

  /** {@code void tailwater_copy_stream(void *, const void *, size_t, int)}. */
  private static final FunctionDescriptor TYPE_OF_STREAM =
      FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT);

  private static final Binder BINDER = new Binder();
  private static final Loaded LOADED = load();

  /**
   * The result of loading the library. It is a record because the JIT compiler treats the fields of
   * a constant record as constants, and so compiles a call through these handles to a plain call.
   *
   * @param engines the engines by number, best last; empty without the library
   * @param reason why the library could not be loaded; empty if it was
   */
  private record Loaded(
      @Nullable MethodHandle stream,
      @Nullable MethodHandle streamCritical,
      List<CopyEngine> engines,
      String reason) {}

  private StreamingBindings() {}

  private static Loaded load() {
    try {
      DynamicLibrary library =
          new LibraryLoader(StreamingBindings.class)
              .open(LibraryLoader.resource(Platform.current(), LIBRARY_NAME));
      MemorySegment stream = library.function("tailwater_copy_stream");
      return new Loaded(
          BINDER.withoutErrno(stream, TYPE_OF_STREAM),
          BINDER.criticalWithoutErrno(stream, TYPE_OF_STREAM),
          engines(library),
          "");
    } catch (IOException e) {
      return new Loaded(null, null, List.of(), String.valueOf(e.getMessage()));
    }
  }

  private static List<CopyEngine> engines(DynamicLibrary library) throws IOException {
    MethodHandle best =
        BINDER.withoutErrno(
            library.function("tailwater_copy_best_engine"), FunctionDescriptor.of(JAVA_INT));
    MethodHandle name =
        BINDER.withoutErrno(
            library.function("tailwater_copy_engine_name"),
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
    try {
      int last = (int) best.invokeExact();
      List<CopyEngine> engines = new ArrayList<>();
      for (int number = 0; number <= last; number++) {
        String text = DynamicLibrary.string((long) name.invokeExact(number));
        engines.add(CopyEngine.valueOf(text.toUpperCase(Locale.ROOT)));
      }
      return List.copyOf(engines);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Returns the engines of this processor by number, best last; empty without the library. */
  static List<CopyEngine> engines() {
    return LOADED.engines;
  }

  /** Returns the number of the best engine; -1 without the library. */
  static int best() {
    return LOADED.engines.size() - 1;
  }

  /** Returns why there is no engine; empty if there is one. */
  static String reason() {
    return LOADED.reason;
  }

  /**
   * Copies bytes with an engine, which must be one of the {@link #engines}, given by its number.
   */
  static void stream(MemorySegment target, MemorySegment source, long bytes, int engine) {
    try {
      required(LOADED.stream).invokeExact(target, source, bytes, engine);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /**
   * Copies bytes like {@link #stream}, also from and to the heap, without a safepoint meanwhile.
   */
  static void streamCritical(MemorySegment target, MemorySegment source, long bytes, int engine) {
    try {
      required(LOADED.streamCritical).invokeExact(target, source, bytes, engine);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  private static MethodHandle required(@Nullable MethodHandle handle) {
    if (handle == null) {
      throw new IllegalStateException("there is no streaming engine: " + LOADED.reason);
    }
    return handle;
  }
}
