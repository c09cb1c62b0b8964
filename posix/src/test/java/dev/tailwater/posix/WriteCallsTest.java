package dev.tailwater.posix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.AllocateFlag;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.WriteFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteCallsTest {
  private final FileCalls calls = LinuxFileCalls.create();
  private final Arena arena = Arena.ofConfined();
  @TempDir private Path directory;
  private Path file = Path.of("");
  private MemorySegment digits = MemorySegment.NULL;
  private int fd;
  private int readOnlyFd;

  @BeforeEach
  void openFile() throws IOException {
    digits =
        arena.allocateFrom(ValueLayout.JAVA_BYTE, "0123456789".getBytes(StandardCharsets.UTF_8));
    file = directory.resolve("file");
    fd =
        calls.open(
            NameCalls.AT_FDCWD,
            PosixPath.of(file),
            EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE),
            0600);
    readOnlyFd = calls.open(NameCalls.AT_FDCWD, PosixPath.of(file), Set.of(), 0);
  }

  @AfterEach
  void closeFile() throws IOException {
    calls.close(fd);
    calls.close(readOnlyFd);
    arena.close();
  }

  @Test
  void writesBehindTheEndWithZerosInBetween() throws IOException {
    assertEquals(10, calls.pwrite(fd, digits, 3));
    assertEquals("\0\0\0000123456789", Files.readString(file));
  }

  @Test
  void givesBackEveryByteThatWasWrittenAtRandomOffsets() throws IOException {
    long seed = 20260101;
    Random random = new Random(seed);
    byte[] expected = new byte[1 << 20];
    MemorySegment buffer = arena.allocate(1 << 16);
    for (int i = 0; i < 300; i++) {
      byte[] piece = new byte[random.nextInt(1, 1 << 16)];
      random.nextBytes(piece);
      int offset = random.nextInt(expected.length - piece.length);
      System.arraycopy(piece, 0, expected, offset, piece.length);
      MemorySegment source = buffer.asSlice(0, piece.length).copyFrom(MemorySegment.ofArray(piece));
      assertEquals(piece.length, calls.pwrite(fd, source, offset));
    }
    calls.truncate(fd, expected.length);
    calls.fdatasync(fd);
    byte[] actual = new byte[expected.length];
    for (int at = 0; at < actual.length; at += ReadCalls.MAX_CRITICAL_BYTES) {
      int length = ReadCalls.MAX_CRITICAL_BYTES;
      assertEquals(length, calls.preadCritical(fd, actual, at, length, at));
    }
    assertArrayEquals(expected, actual, "seed " + seed);
  }

  @Test
  void appendingDescriptorIgnoresTheOffset() throws IOException {
    int appendFd =
        calls.open(
            NameCalls.AT_FDCWD,
            PosixPath.of(file),
            EnumSet.of(OpenFlag.WRITE_ONLY, OpenFlag.APPEND),
            0);
    calls.pwrite(appendFd, digits, 0);
    calls.pwrite(appendFd, digits, 0);
    calls.close(appendFd);
    assertEquals(20, Files.size(file));
  }

  @Test
  void pwriteSaysErrno() throws IOException {
    assertEquals(
        "pwrite fd " + readOnlyFd + ": EBADF (Bad file descriptor)",
        Expect.errno(Errno.EBADF, () -> calls.pwrite(readOnlyFd, digits, 0)).getMessage());
    Expect.errno(Errno.EINVAL, () -> calls.pwrite(fd, digits, -1));
    Expect.errno(Errno.EINVAL, () -> calls.pwrite(fd, digits, Long.MAX_VALUE - 5));
    int eventFd = calls.eventFd();
    Expect.errno(Errno.ESPIPE, () -> calls.pwrite(eventFd, digits, 0));
    calls.close(eventFd);
    MemorySegment heap = MemorySegment.ofArray(new byte[4]);
    assertThrows(IllegalArgumentException.class, () -> calls.pwrite(fd, heap, 0));
  }

  @Test
  void writesWithFlagsAtAnOffset() throws IOException {
    assertEquals(10, calls.pwritev2(fd, digits, 3, Set.of()));
    assertEquals(10, calls.pwritev2(fd, digits, 13, EnumSet.of(WriteFlag.DATA_SYNC)));
    assertEquals("\0\0\0" + "0123456789".repeat(2), Files.readString(file));
    assertEquals(
        "pwritev2 fd " + readOnlyFd + ": EBADF (Bad file descriptor)",
        Expect.errno(Errno.EBADF, () -> calls.pwritev2(readOnlyFd, digits, 0, Set.of()))
            .getMessage());
    Expect.errno(Errno.EINVAL, () -> calls.pwritev2(fd, digits, -2, Set.of()));
    MemorySegment heap = MemorySegment.ofArray(new byte[4]);
    assertThrows(IllegalArgumentException.class, () -> calls.pwritev2(fd, heap, 0, Set.of()));
  }

  @Test
  void syncsFilesAndDirectories() throws IOException {
    calls.pwrite(fd, digits, 0);
    calls.fsync(fd);
    calls.fdatasync(fd);
    int directoryFd = calls.open(NameCalls.AT_FDCWD, PosixPath.of(directory), Set.of(), 0);
    calls.fsync(directoryFd);
    calls.syncFileSystem(directoryFd);
    calls.close(directoryFd);
    Expect.errno(Errno.EBADF, () -> calls.fsync(directoryFd));
    Expect.errno(Errno.EBADF, () -> calls.fdatasync(directoryFd));
    Expect.errno(Errno.EBADF, () -> calls.syncFileSystem(directoryFd));
    int eventFd = calls.eventFd();
    Expect.errno(Errno.EINVAL, () -> calls.fsync(eventFd));
    Expect.errno(Errno.EINVAL, () -> calls.fdatasync(eventFd));
    calls.close(eventFd);
  }

  @Test
  void reservesSpaceAndPunchesHoles() throws IOException {
    calls.fallocate(fd, Set.of(), 0, 1 << 20);
    assertEquals(1 << 20, Files.size(file));
    assertTrue(calls.fstat(fd).allocatedBytes() >= 1 << 20);
    calls.fallocate(fd, EnumSet.of(AllocateFlag.KEEP_SIZE), 1 << 20, 1 << 16);
    assertEquals(1 << 20, Files.size(file));
    calls.pwrite(fd, digits, 4096);
    calls.fallocate(fd, EnumSet.of(AllocateFlag.PUNCH_HOLE, AllocateFlag.KEEP_SIZE), 0, 1 << 19);
    byte[] read = new byte[16];
    calls.preadCritical(fd, read, 0, 16, 4096);
    assertArrayEquals(new byte[16], read);
    assertTrue(calls.fstat(fd).allocatedBytes() < 1 << 20);
  }

  @Test
  void fallocateSaysErrno() {
    Expect.errno(Errno.EINVAL, () -> calls.fallocate(fd, Set.of(), 0, 0));
    Expect.errno(Errno.EINVAL, () -> calls.fallocate(fd, Set.of(), -1, 1));
    Expect.errno(Errno.EBADF, () -> calls.fallocate(readOnlyFd, Set.of(), 0, 1));
    Expect.errno(Errno.EFBIG, () -> calls.fallocate(fd, Set.of(), Long.MAX_VALUE, 1));
    Expect.errno(
        Errno.EOPNOTSUPP, () -> calls.fallocate(fd, EnumSet.of(AllocateFlag.PUNCH_HOLE), 0, 4096));
  }

  @Test
  void truncatesBothWays() throws IOException {
    calls.pwrite(fd, digits, 0);
    calls.truncate(fd, 4);
    calls.truncate(fd, 6);
    assertEquals("0123\0\0", Files.readString(file));
    Expect.errno(Errno.EINVAL, () -> calls.truncate(fd, -1));
    Expect.errno(Errno.EINVAL, () -> calls.truncate(readOnlyFd, 0));
    Expect.errno(Errno.EBADF, () -> calls.truncate(-1, 0));
  }

  @Test
  void changesTheOwner() throws IOException {
    FileStatus before = calls.fstat(fd);
    boolean root = calls.effectiveUserId() == 0;
    long group = root ? 4_000_000_000L : before.groupId();
    calls.changeOwner(fd, before.ownerId(), group);
    assertEquals(group, calls.fstat(fd).groupId());
    Expect.errno(Errno.EBADF, () -> calls.changeOwner(-1, 0, 0));
  }

  /** Of what its owner may not open. */
  @Test
  void changesTheModeByAReferenceToAPath() throws IOException {
    calls.changeMode(fd, 0);
    int reference =
        calls.open(NameCalls.AT_FDCWD, PosixPath.of(file), EnumSet.of(OpenFlag.PATH), 0);
    try {
      Expect.errno(Errno.EBADF, () -> calls.changeMode(reference, 02750));
      calls.changeReferencedMode(reference, 02750);
      assertEquals(02750, calls.fstat(fd).permissions());
    } finally {
      calls.close(reference);
    }
    Expect.errno(Errno.EBADF, () -> calls.changeReferencedMode(reference, 0600));
  }

  @Test
  void changesModeAndTime() throws IOException {
    calls.changeMode(fd, 04751);
    assertEquals(04751, calls.fstat(fd).permissions());
    calls.changeModificationTime(fd, 1_700_000_000L, 123_456_789);
    assertEquals(1_700_000_000_123_456_789L, calls.fstat(fd).modificationTimeNanos());
    calls.changeModificationTime(fd, -2, 500_000_000);
    assertEquals(-1_500_000_000L, calls.fstat(fd).modificationTimeNanos());
    Expect.errno(Errno.EBADF, () -> calls.changeMode(-1, 0600));
    Expect.errno(Errno.EBADF, () -> calls.changeModificationTime(-1, 0, 0));
    assertThrows(
        IllegalArgumentException.class, () -> calls.changeModificationTime(fd, 0, 1_000_000_000));
    assertThrows(IllegalArgumentException.class, () -> calls.changeModificationTime(fd, 0, -1));
  }
}
