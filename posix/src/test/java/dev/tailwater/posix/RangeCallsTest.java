package dev.tailwater.posix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RangeCallsTest {
  private static final long MIB = 1024 * 1024;

  private final FileCalls calls = LinuxFileCalls.create();
  @TempDir private Path directory;
  private Path from = Path.of("");
  private Path to = Path.of("");
  private int fromFd;
  private int toFd;

  @BeforeEach
  void openFiles() throws IOException {
    from = Files.writeString(directory.resolve("from"), "0123456789");
    to = directory.resolve("to");
    fromFd = open(from, OpenFlag.READ_WRITE);
    toFd = open(to, OpenFlag.READ_WRITE);
  }

  private int open(Path path, OpenFlag flag) throws IOException {
    return calls.open(
        NameCalls.AT_FDCWD, PosixPath.of(path), EnumSet.of(flag, OpenFlag.CREATE), 0600);
  }

  @AfterEach
  void closeFiles() throws IOException {
    calls.close(fromFd);
    calls.close(toFd);
  }

  @Test
  void dataAndHolesAreFound() throws IOException {
    calls.truncate(fromFd, 4 * MIB);
    assertEquals(OptionalLong.of(0), calls.seekData(fromFd, 0));
    long hole = calls.seekHole(fromFd, 0).orElseThrow();
    assertEquals(OptionalLong.of(hole), calls.seekHole(fromFd, 5));
    if (hole < 4 * MIB) { // else this file system knows of no holes
      assertEquals(OptionalLong.empty(), calls.seekData(fromFd, hole));
      assertEquals(OptionalLong.of(2 * MIB), calls.seekHole(fromFd, 2 * MIB));
    }
  }

  @Test
  void behindTheEndThereIsNeitherDataNorHole() throws IOException {
    assertEquals(OptionalLong.of(10), calls.seekHole(fromFd, 0));
    assertEquals(OptionalLong.empty(), calls.seekData(fromFd, 10));
    assertEquals(OptionalLong.empty(), calls.seekHole(fromFd, 10));
    assertEquals(OptionalLong.empty(), calls.seekHole(fromFd, Long.MAX_VALUE));
  }

  @Test
  void aNegativeOffsetIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> calls.seekData(fromFd, -1));
    assertThrows(IllegalArgumentException.class, () -> calls.seekHole(fromFd, -1));
  }

  @Test
  void aPipeCannotBeSought() throws Exception {
    Expect.errno(Errno.EBADF, () -> calls.seekData(-1, 0));
    Path fifo = directory.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).inheritIO().start().waitFor());
    int fifoFd = open(fifo, OpenFlag.READ_WRITE);
    try {
      Expect.errno(Errno.ESPIPE, () -> calls.seekData(fifoFd, 0));
      Expect.errno(Errno.ESPIPE, () -> calls.seekHole(fifoFd, 0));
    } finally {
      calls.close(fifoFd);
    }
  }

  @Test
  void aRangeIsCopiedInsideTheKernel() throws IOException {
    assertEquals(4, calls.copyFileRange(fromFd, 3, toFd, 2, 4));
    assertArrayEquals("\0\0003456".getBytes(StandardCharsets.ISO_8859_1), Files.readAllBytes(to));
    assertEquals(3, calls.copyFileRange(fromFd, 7, toFd, 0, 100));
    assertEquals(0, calls.copyFileRange(fromFd, 10, toFd, 0, 100));
  }

  @Test
  void copiesThatCannotBeAreToldByTheirErrno() throws IOException {
    Expect.errno(Errno.EINVAL, () -> calls.copyFileRange(fromFd, 0, fromFd, 5, 10));
    int closedFd = open(to, OpenFlag.READ_WRITE);
    calls.close(closedFd);
    Expect.errno(Errno.EBADF, () -> calls.copyFileRange(fromFd, 0, closedFd, 0, 1));
    int directoryFd =
        calls.open(NameCalls.AT_FDCWD, PosixPath.of(directory), Set.of(OpenFlag.DIRECTORY), 0);
    try {
      Expect.errno(Errno.EISDIR, () -> calls.copyFileRange(directoryFd, 0, toFd, 0, 1));
    } finally {
      calls.close(directoryFd);
    }
    int appendFd =
        calls.open(
            NameCalls.AT_FDCWD, PosixPath.of(to), Set.of(OpenFlag.WRITE_ONLY, OpenFlag.APPEND), 0);
    try {
      ErrnoException refused =
          Expect.errno(Errno.EBADF, () -> calls.copyFileRange(fromFd, 0, appendFd, 0, 1));
      assertEquals(
          "copy_file_range fd " + fromFd + " -> fd " + appendFd + ": EBADF (Bad file descriptor)",
          refused.getMessage());
    } finally {
      calls.close(appendFd);
    }
  }
}
