package dev.tailwater.posix.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.binding.Platform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** With a real shared library: one that the JVM itself has loaded. */
class LibraryLoaderTest {
  /** Small, everywhere where a JDK is, and needs nothing but libc. */
  private static final String LIBRARY = "libsyslookup.so";

  private static final byte[] NO_LIBRARY = "not a library".getBytes(StandardCharsets.US_ASCII);

  private static byte[] library() throws IOException {
    Path path = Path.of(System.getProperty("java.home"), "lib", LIBRARY);
    assumeTrue(Files.exists(path), path + " is missing: this JDK is built otherwise");
    return Files.readAllBytes(path);
  }

  @Test
  void aLibraryOpensFromMemoryAndFromAFile() throws IOException {
    byte[] library = library();
    for (DynamicLibrary opened :
        List.of(LibraryLoader.openFromMemory(library), LibraryLoader.openFromFile(library))) {
      assertNotEquals(0, opened.function("memcpy").address());
      IOException missing =
          assertThrows(IOException.class, () -> opened.function("no_such_function"));
      assertTrue(message(missing).endsWith("has no function no_such_function"));
    }
  }

  @Test
  void whatIsNoLibraryIsRefusedInTheLinkersWordsAndLeavesNothingBehind() throws IOException {
    long before = openMemoryFiles();
    for (byte[] content : List.of(NO_LIBRARY, new byte[0], new byte[10_000])) {
      IOException memory =
          assertThrows(IOException.class, () -> LibraryLoader.openFromMemory(content));
      assertTrue(message(memory).startsWith("dlopen: /proc/self/fd/"), message(memory));
      IOException file = assertThrows(IOException.class, () -> LibraryLoader.openFromFile(content));
      assertTrue(message(file).contains("library.so: "), message(file));
      Path named = Path.of(message(file).replaceFirst("dlopen: (.*/library\\.so): .*", "$1"));
      assertTrue(named.endsWith("library.so"), message(file));
      assertTrue(Files.notExists(Optional.ofNullable(named.getParent()).orElseThrow()));
    }
    assertEquals(before, openMemoryFiles());
  }

  private static long openMemoryFiles() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.filter(LibraryLoaderTest::isOurs).count();
    }
  }

  private static boolean isOurs(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("/memfd:tailwater");
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  /** The linker knows libraries by their path, and a descriptor's number comes again. */
  @Test
  void aLibraryIsNeverTakenForOneThatWasOpenedBefore() throws IOException {
    LibraryLoader.openFromMemory(library());
    assertThrows(IOException.class, () -> LibraryLoader.openFromMemory(NO_LIBRARY));
  }

  @Test
  void aLibraryThatIsNotInTheClassPathIsNamed() {
    LibraryLoader loader = new LibraryLoader(LibraryLoader.class);
    String resource = LibraryLoader.resource(Platform.AARCH64, "no-such");
    assertEquals("META-INF/native/linux-aarch64/libno-such.so", resource);
    IOException thrown = assertThrows(IOException.class, () -> loader.open(resource));
    assertTrue(message(thrown).startsWith(resource + " is not in the class path"));
  }

  @Test
  void aNameThatWouldBeSearchedForIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> DynamicLibrary.open("libc.so.6"));
  }

  private static String message(Exception thrown) {
    return String.valueOf(thrown.getMessage());
  }
}
