package dev.tailwater.posix.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.binding.Binder;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A shared library that was opened by dlopen(3) and is never closed. {@link
 * java.lang.foreign.SymbolLookup#libraryLookup(String, Arena)} does the same, but does not report
 * why a library cannot be opened.
 */
final class DynamicLibrary {
  private static final int RTLD_NOW = 2;

  /** The maximum length of a message of dlerror that is read. */
  private static final long MAX_TEXT_BYTES = 4096;

  private static final Binder BINDER = new Binder();

  /** Not critical, because it reads the file and runs the library's constructors. */
  private static final MethodHandle DLOPEN =
      BINDER.withoutErrno(
          BINDER.address("dlopen"), FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_INT));

  private static final MethodHandle DLSYM =
      BINDER.withoutErrno(
          BINDER.address("dlsym"), FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS));
  private static final MethodHandle DLERROR =
      BINDER.withoutErrno(BINDER.address("dlerror"), FunctionDescriptor.of(JAVA_LONG));

  private final String path;
  private final long handle;

  private DynamicLibrary(String path, long handle) {
    this.path = path;
    this.handle = handle;
  }

  /**
   * Opens the library. The path must contain a slash, so that neither LD_LIBRARY_PATH nor any other
   * list is searched.
   *
   * @throws IOException if the library cannot be opened; has the message of the dynamic linker
   * @see <a href="https://man7.org/linux/man-pages/man3/dlopen.3.html">dlopen(3)</a>
   */
  static DynamicLibrary open(String path) throws IOException {
    if (path.indexOf('/') < 0) {
      throw new IllegalArgumentException("a library's path has a slash, " + path + " has none");
    }
    try (Arena arena = Arena.ofConfined()) {
      long handle = (long) DLOPEN.invokeExact(arena.allocateFrom(path), RTLD_NOW);
      if (handle == 0) {
        throw new IOException("dlopen: " + lastError());
      }
      return new DynamicLibrary(path, handle);
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /**
   * Returns the address of a function.
   *
   * @throws IOException if the library does not have it
   * @see <a href="https://man7.org/linux/man-pages/man3/dlsym.3.html">dlsym(3)</a>
   */
  MemorySegment function(String name) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      long address = (long) DLSYM.invokeExact(handle, arena.allocateFrom(name));
      if (address == 0) {
        throw new IOException("dlsym: " + path + " has no function " + name);
      }
      return MemorySegment.ofAddress(address);
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Returns the last error of this thread, which dlerror(3) reports only once. */
  private static String lastError() throws Throwable {
    long text = (long) DLERROR.invokeExact();
    return text == 0 ? "no reason given" : string(text);
  }

  /** Returns the C string at an address. */
  @SuppressWarnings("restricted") // the linker's own texts and constants of our library
  static String string(long address) {
    return MemorySegment.ofAddress(address).reinterpret(MAX_TEXT_BYTES).getString(0);
  }
}
