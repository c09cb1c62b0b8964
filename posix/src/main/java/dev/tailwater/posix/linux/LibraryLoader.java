package dev.tailwater.posix.linux;

import dev.tailwater.posix.binding.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A loader of shared libraries from the class path, in a jar or beside the classes. The environment
 * has no influence on where a library comes from.
 */
final class LibraryLoader {
  private final ClassLoader classes;

  /** Creates a loader for libraries on the class path of this class. */
  LibraryLoader(Class<?> neighbour) {
    ClassLoader loader = neighbour.getClassLoader();
    this.classes = loader == null ? ClassLoader.getSystemClassLoader() : loader;
  }

  /**
   * Returns the path of a library in a jar, such as
   * META-INF/native/linux-x86_64/libtailwater-copy.so.
   */
  static String resource(Platform platform, String library) {
    return "META-INF/native/linux-"
        + platform.name().toLowerCase(Locale.ROOT)
        + "/lib"
        + library
        + ".so";
  }

  /**
   * Opens a library of the class path from a file in memory, so that it works although /tmp is full
   * or mounted noexec. This uses one descriptor permanently. If the kernel does not allow it or
   * /proc is missing, opens it from a file in a new private directory, which is deleted before this
   * method returns.
   *
   * @throws IOException if the library is missing, or cannot be opened in either way; says why
   */
  DynamicLibrary open(String resource) throws IOException {
    byte[] content = read(resource);
    try {
      return openFromMemory(content);
    } catch (IOException memory) {
      try {
        return openFromFile(content);
      } catch (IOException file) {
        file.addSuppressed(memory);
        throw new IOException(
            resource + " cannot be loaded: " + memory.getMessage() + "; " + file.getMessage(),
            file);
      }
    }
  }

  private byte[] read(String resource) throws IOException {
    try (InputStream in = classes.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException(
            resource
                + " is not in the class path: this build was made without a C compiler for it");
      }
      return in.readAllBytes();
    }
  }

  /**
   * Opens a library from a file in memory. The file stays open with its library, so that no other
   * library can get the same path: the dynamic linker would take it for this one, whatever its
   * content.
   */
  static DynamicLibrary openFromMemory(byte[] content) throws IOException {
    MemoryFile file = MemoryFile.of(content);
    boolean opened = false;
    try {
      DynamicLibrary library = DynamicLibrary.open(file.path());
      opened = true;
      return library;
    } finally {
      if (!opened) {
        file.close();
      }
    }
  }

  /** Opens a library from a temporary file, which is not needed once the library is mapped. */
  static DynamicLibrary openFromFile(byte[] content) throws IOException {
    Path directory = Files.createTempDirectory("tailwater"); // mode 0700
    Path file = directory.resolve("library.so");
    try {
      Files.write(file, content);
      return DynamicLibrary.open(file.toString());
    } finally {
      Files.deleteIfExists(file);
      Files.delete(directory);
    }
  }
}
