package dev.tailwater.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.linux.LinuxAnonymousMemoryCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class AnonymousMemoryCallsTest {
  private static final long MEBIBYTE = 1 << 20;

  private final AnonymousMemoryCalls calls = LinuxAnonymousMemoryCalls.create();

  @Test
  void mapsZerosThatStartAtAPageAndCanBeWritten() throws ErrnoException {
    MemorySegment memory = calls.mapAnonymous(MEBIBYTE);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment view = calls.view(memory, MEBIBYTE, arena);
      assertEquals(0, view.address() % 4096);
      assertEquals(MEBIBYTE, view.byteSize());
      assertEquals(0, view.get(JAVA_LONG, MEBIBYTE - 8));
      view.fill((byte) 7);
      assertEquals(7, view.get(JAVA_BYTE, MEBIBYTE - 1));
    } finally {
      calls.unmap(memory);
    }
  }

  @Test
  void givesTheMemoryBackAtOnce() throws IOException {
    MemorySegment memory = calls.mapAnonymous(37 * MEBIBYTE);
    String start = Long.toHexString(memory.address());
    assertTrue(isMapped(memory.address()), start);
    calls.unmap(memory);
    assertFalse(isMapped(memory.address()), start);
  }

  private static boolean isMapped(long address) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .map(line -> line.substring(0, line.indexOf(' ')).split("-", 2))
        .anyMatch(
            range ->
                Long.parseUnsignedLong(range[0], 16) <= address
                    && address < Long.parseUnsignedLong(range[1], 16));
  }

  @Test
  void aViewEndsWithItsArenaAndIsNeverLongerThanTheMemory() throws ErrnoException {
    MemorySegment memory = calls.mapAnonymous(4096);
    try {
      MemorySegment view;
      try (Arena arena = Arena.ofConfined()) {
        view = calls.view(memory, 100, arena);
        assertEquals(100, view.byteSize());
        assertThrows(IndexOutOfBoundsException.class, () -> calls.view(memory, 4097, arena));
        assertThrows(IndexOutOfBoundsException.class, () -> calls.view(memory, -1, arena));
      }
      assertThrows(IllegalStateException.class, () -> view.get(JAVA_BYTE, 0));
    } finally {
      calls.unmap(memory);
    }
  }

  @Test
  void saysWhatIsWrongWithAnImpossibleSize() {
    ErrnoException tooLarge =
        assertThrows(ErrnoException.class, () -> calls.mapAnonymous(Long.MAX_VALUE / 2));
    assertEquals(Errno.ENOMEM, tooLarge.errno());
    ErrnoException nothing = assertThrows(ErrnoException.class, () -> calls.mapAnonymous(0));
    assertEquals(Errno.EINVAL, nothing.errno());
    assertTrue(
        String.valueOf(nothing.getMessage()).startsWith("mmap 0 bytes: EINVAL"),
        nothing.getMessage());
  }

  @Test
  void memoryThatMayHaveHugePagesIsUsedAsAnyOther() throws ErrnoException {
    MemorySegment memory = calls.mapAnonymous(5 * MEBIBYTE);
    try {
      calls.preferHugePages(memory);
      assertEquals(0, memory.get(JAVA_BYTE, 5 * MEBIBYTE - 1));
      memory.fill((byte) 7);
      assertEquals(7, memory.get(JAVA_BYTE, 3 * MEBIBYTE));
    } catch (ErrnoException none) {
      assumeTrue(none.errno() != Errno.EINVAL, "the kernel has no transparent huge pages");
      throw none;
    } finally {
      calls.unmap(memory);
    }
  }

  @Test
  void refusesHugePagesForMemoryThatDoesNotStartWithAPage() throws ErrnoException {
    MemorySegment memory = calls.mapAnonymous(MEBIBYTE);
    try {
      ErrnoException odd =
          assertThrows(ErrnoException.class, () -> calls.preferHugePages(memory.asSlice(1)));
      assertEquals(Errno.EINVAL, odd.errno());
    } finally {
      calls.unmap(memory);
    }
  }
}
