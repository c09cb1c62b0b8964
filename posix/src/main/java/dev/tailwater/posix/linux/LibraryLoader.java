package dev.tailwater.posix.linux;

import dev.tailwater.posix.binding.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Opens a shared library that lies in the class path, in a jar or beside the classes. Nothing of
 * the environment decides where it comes from.
 */
final class LibraryLoader {
  private final ClassLoader classes;

  /** Looks where this class came from. */
  LibraryLoader(Class<?> neighbour) {
    ClassLoader loader = neighbour.getClassLoader();
    this.classes = loader == null ? ClassLoader.getSystemClassLoader() : loader;
  }

  /** The library's place in a jar, such as META-INF/native/linux-x86_64/libtailwater-copy.so. */
  static String resource(Platform platform, String library) {
    return "META-INF/native/linux-"
        + platform.name().toLowerCase(Locale.ROOT)
        + "/lib"
        + library
        + ".so";
  }

  /**
   * Opens a library of the class path: from a file in memory, so that a noexec or full /tmp does
   * not matter (one descriptor for good); where the kernel or the missing /proc does not let it,
   * from a file of its own in a new private directory, which is gone again when this returns.
   *
   * @throws IOException when it is not there, or cannot be opened either way; says why
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
   * The file stays open with its library, so that no other library can come to the same path: the
   * linker would take it for this one, whatever is in it.
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

  /** Once it is open, the library is mapped and needs its file no more. */
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
