package dev.tailwater.posix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PosixPathTest {
  private static final byte[] NOT_UTF_8 = {'a', (byte) 0xFF, (byte) 0xFE};

  @Test
  void keepsBytesThatAreNotUtf8() {
    PosixPath path = PosixPath.of("/logs").resolve(PosixPath.of(NOT_UTF_8));
    assertArrayEquals(NOT_UTF_8, path.fileName().toBytes());
    assertEquals(9, path.lengthBytes());
    assertEquals("/logs/a\uFFFD\uFFFD", path.decoded());
    assertNotEquals(path, PosixPath.of(path.decoded()));
  }

  @Test
  void itsTextTellsItFromEveryOtherPath() {
    PosixPath path = PosixPath.of("/a\\\n").resolve(PosixPath.of(NOT_UTF_8));
    assertEquals("/a\\\\\\x0a/a\\xff\\xfe", path.toString());
    assertEquals(path, EscapedPath.parse(path.toString()));
  }

  @Test
  void refusesNul() {
    assertThrows(IllegalArgumentException.class, () -> PosixPath.of("a\0b"));
  }

  @Test
  void takesItsBytesFromNativeMemory() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocateFrom("x/a.log");
      PosixPath path = PosixPath.of(memory, 2, 5);
      memory.set(ValueLayout.JAVA_BYTE, 2, (byte) 'b');
      assertEquals(PosixPath.of("a.log"), path);
      assertEquals(PosixPath.EMPTY, PosixPath.of(memory, 2, 0));
      assertThrows(IllegalArgumentException.class, () -> PosixPath.of(memory, 2, 6));
      assertThrows(IndexOutOfBoundsException.class, () -> PosixPath.of(memory, 2, 7));
      assertThrows(IndexOutOfBoundsException.class, () -> PosixPath.of(memory, -1, 2));
    }
  }

  @Test
  void doesNotShareItsBytes() {
    byte[] bytes = {'a'};
    PosixPath path = PosixPath.of(bytes);
    bytes[0] = 'b';
    path.toBytes()[0] = 'c';
    assertEquals("a", path.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "a, b, a/b",
    "a/, b, a/b",
    "/, b, /b",
    "a, /b, /b",
    "'', b, b",
    "a, '', a",
    "a, ../b, a/../b",
  })
  void resolvesByNamesAlone(String base, String other, String expected) {
    assertEquals(PosixPath.of(expected), PosixPath.of(base).resolve(other));
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b, /a, b",
    "/a, /, a",
    "/, /, ''",
    "a, '', a",
    "a/, a, ''",
    "'', '', ''",
  })
  void splitsAtTheLastSlash(String path, String parent, String fileName) {
    assertEquals(PosixPath.of(parent), PosixPath.of(path).parent());
    assertEquals(PosixPath.of(fileName), PosixPath.of(path).fileName());
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b, /a, true",
    "/a, /a, true",
    "/ab, /a, false",
    "/a, /a/b, false",
    "/a, /, true",
    "/a/b, /a/, true",
    "a, '', true",
  })
  void startsWithWholeComponents(String path, String other, boolean expected) {
    assertEquals(expected, PosixPath.of(path).startsWith(PosixPath.of(other)));
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b, /a, b",
    "/a/b/c, /a/, b/c",
    "/a//b, /a, b",
    "/a, /, a",
    "/a, /a, ''",
    "a/b, '', a/b",
  })
  void theRestOfAPathBelowADirectoryHasNoSlashBefore(
      String path, String directory, String expected) {
    assertEquals(PosixPath.of(expected), PosixPath.of(path).below(PosixPath.of(directory)));
  }

  @Test
  void nothingIsBelowADirectoryThatIsElsewhere() {
    PosixPath path = PosixPath.of("/ab");
    assertThrows(IllegalArgumentException.class, () -> path.below(PosixPath.of("/a")));
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b, /a/b",
    "/a//b/, /a/b",
    "./a/./b/., a/b",
    "//, /",
    "/., /",
    "., .",
    "'', ''",
    "a/../b, a/../b",
    "/.., /..",
    ".a/b., .a/b.",
    "//a, /a",
  })
  void normalizesWithoutAskingTheFileSystem(String path, String expected) {
    assertEquals(PosixPath.of(expected), PosixPath.of(path).normalized());
  }

  @Test
  void ordersByUnsignedBytes() {
    List<PosixPath> sorted =
        List.of(PosixPath.of("a"), PosixPath.of("b"), PosixPath.of(new byte[] {(byte) 0x80}));
    assertEquals(sorted, sorted.reversed().stream().sorted().toList());
  }

  @Test
  void equalsByBytes() {
    assertEquals(PosixPath.of("a/b"), PosixPath.of(Path.of("a", "b")));
    assertEquals(PosixPath.of("a/b").hashCode(), PosixPath.of("a/b").hashCode());
    assertNotEquals(PosixPath.of("a//b"), PosixPath.of("a/b"));
    assertEquals(Path.of("a/b"), PosixPath.of("a/b").toPath());
  }

  @Test
  void knowsAbsoluteAndEmpty() {
    assertTrue(PosixPath.of("/a").isAbsolute());
    assertFalse(PosixPath.of("a/").isAbsolute());
    assertFalse(PosixPath.EMPTY.isAbsolute());
    assertTrue(PosixPath.EMPTY.isEmpty());
    assertFalse(PosixPath.of("/").isEmpty());
  }

  @Test
  void partsOfArraysAreComparedAndCopied() {
    byte[] bytes = "before/name/after".getBytes(StandardCharsets.UTF_8);
    PosixPath name = PosixPath.of(bytes, 7, 11);
    assertEquals(PosixPath.of("name"), name);
    assertEquals(0, name.compareTo(bytes, 7, 11));
    assertTrue(name.compareTo(bytes, 7, 10) > 0);
    assertTrue(name.compareTo(bytes, 0, 6) > 0);
    assertTrue(PosixPath.of("a").compareTo(new byte[] {(byte) 0xff}, 0, 1) < 0);
    byte[] target = new byte[6];
    name.copyTo(target, 1);
    assertArrayEquals(new byte[] {0, 'n', 'a', 'm', 'e', 0}, target);
    assertThrows(IllegalArgumentException.class, () -> PosixPath.of(target, 0, 5));
  }
}
