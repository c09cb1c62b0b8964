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
 * A shared library that was opened by dlopen(3), for good: it is never closed. Not {@link
 * java.lang.foreign.SymbolLookup#libraryLookup(String, Arena)}, since that does not tell why a
 * library cannot be opened.
 */
final class DynamicLibrary {
  private static final int RTLD_NOW = 2;

  /** What dlerror says is a line; no more of it than this is read. */
  private static final long MAX_TEXT_BYTES = 4096;

  private static final Binder BINDER = new Binder();

  /** Runs the library's constructors and reads the file, so not critical. */
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
   * Opens the library. The path has a slash, so that neither LD_LIBRARY_PATH nor any other list is
   * searched.
   *
   * @throws IOException with the dynamic linker's own words
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
   * The address of a function.
   *
   * @throws IOException when the library does not have it
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

  /** Kept for each thread, and gone once it was read. */
  private static String lastError() throws Throwable {
    long text = (long) DLERROR.invokeExact();
    return text == 0 ? "no reason given" : string(text);
  }

  /** The C string at an address. */
  @SuppressWarnings("restricted") // the linker's own texts and constants of our library
  static String string(long address) {
    return MemorySegment.ofAddress(address).reinterpret(MAX_TEXT_BYTES).getString(0);
  }
}
