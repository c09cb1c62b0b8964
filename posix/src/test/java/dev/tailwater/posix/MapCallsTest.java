package dev.tailwater.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.MapAdvice;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MapCallsTest {
  private static final int FILE_BYTES = 1 << 20;

  private final FileCalls calls = LinuxFileCalls.create();
  @TempDir private Path directory;
  private Path file;
  private int fd;

  @BeforeEach
  void openFile() throws IOException {
    byte[] content = new byte[FILE_BYTES];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (i * 31 + i / 4096);
    }
    file = Files.write(directory.resolve("mapped-here"), content);
    fd = calls.open(NameCalls.AT_FDCWD, PosixPath.of(file), Set.of(), 0);
  }

  @AfterEach
  void closeFile() throws IOException {
    calls.close(fd);
  }

  private boolean mapped() throws IOException {
    return Files.readString(Path.of("/proc/self/maps")).contains("mapped-here");
  }

  @Test
  void mapsUntilTheArenaIsClosed() throws IOException {
    byte[] content = Files.readAllBytes(file);
    MemorySegment mapping;
    try (Arena arena = Arena.ofConfined()) {
      mapping = calls.map(fd, 65536, FILE_BYTES - 65536, arena);
      assertEquals(FILE_BYTES - 65536, mapping.byteSize());
      assertEquals(-1, MemorySegment.ofArray(content).asSlice(65536).mismatch(mapping));
      assertTrue(mapped());
    }
    assertFalse(mapped());
    assertThrows(IllegalStateException.class, () -> mapping.get(ValueLayout.JAVA_BYTE, 0));
  }

  @Test
  void isReadOnly() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment mapping = calls.map(fd, 0, 4096, arena);
      assertThrows(
          IllegalArgumentException.class, () -> mapping.set(ValueLayout.JAVA_BYTE, 0, (byte) 1));
    }
  }

  @Test
  void leavesNoMappingBehindInAClosedOrForeignArena() throws Exception {
    Arena closed = Arena.ofConfined();
    closed.close();
    assertThrows(IllegalStateException.class, () -> calls.map(fd, 0, 4096, closed));
    try (Arena foreign = Arena.ofConfined()) {
      Thread other =
          Thread.ofPlatform()
              .start(
                  () ->
                      assertThrows(
                          WrongThreadException.class, () -> calls.map(fd, 0, 4096, foreign)));
      other.join();
    }
    assertFalse(mapped());
  }

  @Test
  void refusesWhatTheKernelRefuses() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      assertEquals(Errno.EINVAL, failure(() -> calls.map(fd, 1, 4096, arena)).errno());
      assertEquals(Errno.EINVAL, failure(() -> calls.map(fd, 0, 0, arena)).errno());
      assertEquals(Errno.EBADF, failure(() -> calls.map(-1, 0, 4096, arena)).errno());
      assertEquals(Errno.ENOMEM, failure(() -> calls.map(fd, 0, 1L << 60, arena)).errno());
      int writeOnly =
          calls.open(NameCalls.AT_FDCWD, PosixPath.of(file), Set.of(OpenFlag.WRITE_ONLY), 0);
      try {
        assertEquals(Errno.EACCES, failure(() -> calls.map(writeOnly, 0, 4096, arena)).errno());
      } finally {
        calls.close(writeOnly);
      }
    }
  }

  private static ErrnoException failure(org.junit.jupiter.api.function.Executable call) {
    return assertThrows(ErrnoException.class, call);
  }

  @Test
  void populatesAndSaysSo() throws IOException {
    calls.fsync(fd);
    calls.fadvise(fd, 0, 0, Advice.DONT_NEED);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mapping = calls.map(fd, 0, FILE_BYTES, arena);
      MemorySegment pages = arena.allocate(FILE_BYTES / 4096);
      calls.madvise(mapping.asSlice(524288), MapAdvice.POPULATE_READ);
      calls.mincore(mapping.asSlice(524288), pages);
      for (int i = 0; i < FILE_BYTES / 2 / 4096; i++) {
        assertEquals(1, pages.get(ValueLayout.JAVA_BYTE, i) & 1, "page " + i);
      }
    }
  }

  @Test
  void populatingBehindTheEndIsAnErrnoAndNoSignal() throws IOException {
    try (Arena arena = Arena.ofConfined();
        FileChannel writer = FileChannel.open(file, StandardOpenOption.WRITE)) {
      MemorySegment mapping = calls.map(fd, 0, FILE_BYTES, arena);
      writer.truncate(8192);
      assertEquals(
          Errno.EFAULT, failure(() -> calls.madvise(mapping, MapAdvice.POPULATE_READ)).errno());
      calls.madvise(mapping.asSlice(0, 8192), MapAdvice.POPULATE_READ);
    }
  }

  @Test
  void refusesAVectorThatIsTooSmall() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mapping = calls.map(fd, 0, 8193, arena);
      assertThrows(IllegalArgumentException.class, () -> calls.mincore(mapping, arena.allocate(2)));
      calls.mincore(mapping, arena.allocate(3));
    }
  }

  @Test
  void knowsWhatMayBeWritten() throws IOException {
    assertTrue(calls.mayWrite(fd));
    int proc = calls.open(NameCalls.AT_FDCWD, PosixPath.of("/proc/self/status"), Set.of(), 0);
    try {
      assertEquals(Files.isWritable(Path.of("/proc/self/status")), calls.mayWrite(proc));
    } finally {
      calls.close(proc);
    }
    assertEquals(Errno.ENOENT, failure(() -> calls.mayWrite(1_000_000)).errno());
  }
}
