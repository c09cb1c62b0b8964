package dev.tailwater.posix.testkit;

import static dev.tailwater.posix.NameCalls.AT_FDCWD;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.AllocateFlag;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.ReadFlag;
import dev.tailwater.posix.value.ResolveFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the calls on mounted file systems. Need root for mounting; skipped otherwise. */
class MountedCallsTest {
  private static final long MIB = 1024 * 1024;
  private static final Set<OpenFlag> CREATE = EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE);

  private final FileCalls calls = LinuxFileCalls.create();
  private final Arena arena = Arena.ofConfined();
  @TempDir private Path elsewhere;

  @AfterEach
  void free() {
    arena.close();
  }

  private static void expect(Errno expected, Executable call) {
    ErrnoException failure = assertThrows(ErrnoException.class, call);
    assertEquals(expected, failure.errno(), failure.getMessage());
  }

  private int create(MountedFileSystem mounted, String name) throws IOException {
    return calls.open(AT_FDCWD, mounted.path().resolve(name), CREATE, 0600);
  }

  @Test
  void fullDiskTakesAPartAndThenSaysEnospc() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.tmpfs(MIB)) {
      int fd = create(mounted, "file");
      MemorySegment source = arena.allocate(4 * MIB);
      int written = calls.pwrite(fd, source, 0);
      assertTrue(written > 0 && written <= MIB, written + " bytes");
      expect(Errno.ENOSPC, () -> calls.pwrite(fd, source, written));
      expect(Errno.ENOSPC, () -> calls.fallocate(fd, Set.of(), 0, 2 * MIB));
      assertEquals(written, calls.fstat(fd).sizeBytes());
      calls.close(fd);
    }
  }

  @Test
  void fullExt4SaysEnospcForNamesToo() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.ext4(4 * MIB, 1024)) {
      int fd = create(mounted, "file");
      expect(Errno.ENOSPC, () -> calls.fallocate(fd, Set.of(), 0, 64 * MIB));
      calls.close(fd);
      expect(
          Errno.ENOSPC,
          () -> {
            for (int i = 0; i < 100_000; i++) {
              calls.makeDirectory(AT_FDCWD, mounted.path().resolve("d" + i), 0700);
            }
          });
    }
  }

  @Test
  void readOnlyFileSystemSaysErofs() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.tmpfs(MIB)) {
      PosixPath file = mounted.path().resolve("file");
      calls.close(create(mounted, "file"));
      int readFd = calls.open(AT_FDCWD, file, Set.of(), 0);
      mounted.remountReadOnly();
      PosixPath other = mounted.path().resolve("other");
      expect(Errno.EROFS, () -> calls.open(AT_FDCWD, file, CREATE, 0600));
      expect(Errno.EROFS, () -> calls.open(AT_FDCWD, other, CREATE, 0600));
      expect(Errno.EROFS, () -> calls.unlink(AT_FDCWD, file));
      expect(Errno.EROFS, () -> calls.rename(AT_FDCWD, file, AT_FDCWD, other, Set.of()));
      expect(Errno.EROFS, () -> calls.link(AT_FDCWD, file, AT_FDCWD, other));
      expect(Errno.EROFS, () -> calls.makeDirectory(AT_FDCWD, other, 0700));
      expect(Errno.EROFS, () -> calls.changeMode(readFd, 0644));
      expect(Errno.EROFS, () -> calls.changeModificationTime(readFd, 0, 0));
      calls.close(readFd);
      mounted.remountWritable();
      calls.unlink(AT_FDCWD, file);
    }
  }

  @Test
  void namesDoNotCrossFileSystems() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.tmpfs(MIB)) {
      PosixPath from = mounted.path().resolve("file");
      PosixPath to = PosixPath.of(elsewhere).resolve("file");
      calls.close(create(mounted, "file"));
      expect(Errno.EXDEV, () -> calls.rename(AT_FDCWD, from, AT_FDCWD, to, Set.of()));
      expect(Errno.EXDEV, () -> calls.link(AT_FDCWD, from, AT_FDCWD, to));
      expect(Errno.EBUSY, () -> calls.removeDirectory(AT_FDCWD, mounted.path()));
      int parentFd = calls.open(AT_FDCWD, mounted.path().parent(), Set.of(), 0);
      PosixPath below = mounted.path().fileName().resolve("file");
      calls.close(calls.openBeneath(parentFd, below, Set.of(), 0, EnumSet.of(ResolveFlag.BENEATH)));
      expect(
          Errno.EXDEV,
          () ->
              calls.openBeneath(
                  parentFd, below, Set.of(), 0, EnumSet.of(ResolveFlag.NO_CROSS_DEVICE)));
      assertNotEquals(
          calls.fstat(parentFd).mountId(),
          calls.statx(AT_FDCWD, mounted.path(), Set.of()).mountId());
      calls.close(parentFd);
    }
  }

  @Test
  void generationTellsFilesOfOneInodeNumberApartOnExt4() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.ext4(16 * MIB, 4096)) {
      assertGenerationChanges(mounted);
    }
  }

  @Test
  void generationTellsFilesOfOneInodeNumberApartOnXfs() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096)) {
      assertGenerationChanges(mounted);
    }
  }

  /** XFS frees inodes in the background, so an inode number is reused only after a while. */
  private void assertGenerationChanges(MountedFileSystem mounted) throws IOException {
    Map<Long, Long> generations = new HashMap<>();
    long deadlineNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (System.nanoTime() - deadlineNanos < 0) {
      int fd = create(mounted, "file");
      FileStatus status = calls.fstat(fd);
      long generation = calls.generation(fd);
      assertEquals(generation, calls.generation(fd));
      calls.close(fd);
      calls.unlink(AT_FDCWD, mounted.path().resolve("file"));
      assertTrue(generation >= 0 && generation <= 0xffff_ffffL);
      assertTrue(status.birthTimeNanos().isPresent());
      Optional<Long> earlier = Optional.ofNullable(generations.put(status.inode(), generation));
      if (earlier.isPresent()) {
        assertNotEquals(earlier.get(), generation);
        return;
      }
    }
    fail("no inode number of " + generations.size() + " was used again");
  }

  @Test
  void fileSystemsTellTheUuidThatTheyWereMadeWith() throws IOException {
    assertTellsUuid(TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096));
    // Before Linux 6.9, only XFS reports its UUID.
    assertTellsUuid(TestFileSystems.ext4(16 * MIB, 4096));
  }

  private void assertTellsUuid(MountedFileSystem mounted) throws IOException {
    try (mounted) {
      Command.Result made =
          Command.run(List.of("findmnt", "-n", "-o", "UUID", mounted.root().toString()));
      made.requireSuccess();
      int fd = create(mounted, "file");
      Optional<UUID> told = calls.fileSystemUuid(fd);
      calls.close(fd);
      assumeTrue(told.isPresent(), "this kernel does not tell UUIDs of file systems");
      assertEquals(UUID.fromString(made.output().strip()), told.get());
      int pathFd =
          calls.open(AT_FDCWD, mounted.path().resolve("file"), EnumSet.of(OpenFlag.PATH), 0);
      expect(Errno.EBADF, () -> calls.fileSystemUuid(pathFd));
      calls.close(pathFd);
    }
  }

  @Test
  void tmpfsHasNoGeneration() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.tmpfs(MIB)) {
      int fd = create(mounted, "file");
      expect(Errno.ENOTTY, () -> calls.generation(fd));
      calls.close(fd);
    }
  }

  @Test
  void sizesOverTheFileSystemsLimitSayEfbig() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.ext4(16 * MIB, 1024)) {
      int fd = create(mounted, "file");
      expect(Errno.EFBIG, () -> calls.pwrite(fd, arena.allocate(8), Long.MAX_VALUE - 4096));
      expect(Errno.EFBIG, () -> calls.truncate(fd, Long.MAX_VALUE));
      calls.close(fd);
    }
  }

  @Test
  void pagesThatWereDroppedAreNotReadWithoutWaiting() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.ext4(16 * MIB, 4096)) {
      int fd = create(mounted, "file");
      byte[] content = new byte[1 << 18];
      for (int i = 0; i < content.length; i++) {
        content[i] = (byte) (i * 31);
      }
      MemorySegment source = arena.allocateFrom(ValueLayout.JAVA_BYTE, content);
      assertEquals(content.length, calls.pwrite(fd, source, 0));
      assertEquals(content.length / 4096, calls.cachestat(fd, 0, 0).cachedPages());
      calls.fsync(fd);
      assertEquals(0, calls.cachestat(fd, 0, 0).dirtyPages());
      calls.fadvise(fd, 0, 0, Advice.DONT_NEED);
      assertEquals(0, calls.cachestat(fd, 0, 0).cachedPages());
      MemorySegment target = arena.allocate(content.length);
      expect(Errno.EAGAIN, () -> calls.preadv2(fd, target, 0, EnumSet.of(ReadFlag.NO_WAIT)));
      int read = 0;
      while (read < content.length) {
        int more = calls.pread(fd, target.asSlice(read), read);
        assertTrue(more > 0, "bytes read at " + read);
        read += more;
      }
      assertArrayEquals(content, target.toArray(ValueLayout.JAVA_BYTE));
      calls.close(fd);
    }
  }

  @Test
  void readsWithoutKeepingPagesWhereTheKernelCan() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.ext4(16 * MIB, 4096)) {
      int fd = create(mounted, "file");
      MemorySegment memory = arena.allocate(1 << 16).fill((byte) 7);
      calls.pwrite(fd, memory, 0);
      calls.fsync(fd);
      calls.fadvise(fd, 0, 0, Advice.DONT_NEED);
      memory.fill((byte) 0);
      try {
        int read = calls.preadv2(fd, memory, 0, EnumSet.of(ReadFlag.DONT_CACHE));
        assertTrue(read > 0);
        assertEquals(7, memory.get(ValueLayout.JAVA_BYTE, read - 1));
        assertEquals(0, calls.cachestat(fd, 0, read).cachedPages());
      } catch (ErrnoException e) {
        assertEquals(Errno.EOPNOTSUPP, e.errno(), e.getMessage());
      }
      calls.close(fd);
    }
  }

  @Test
  void directReadsMustBeAligned() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.ext4(16 * MIB, 4096)) {
      calls.close(create(mounted, "file"));
      Set<OpenFlag> direct = EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.DIRECT);
      int fd = calls.open(AT_FDCWD, mounted.path().resolve("file"), direct, 0);
      MemorySegment aligned = arena.allocate(8192, 4096).fill((byte) 5);
      assertEquals(8192, calls.pwrite(fd, aligned, 0));
      assertEquals(4096, calls.pread(fd, aligned.asSlice(0, 4096), 4096));
      assertEquals(0, calls.cachestat(fd, 0, 0).cachedPages());
      expect(Errno.EINVAL, () -> calls.pwrite(fd, aligned.asSlice(0, 4096), 100));
      calls.close(fd);
    }
  }

  @Test
  void zeroesRangesOnExt4() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.ext4(16 * MIB, 4096)) {
      int fd = create(mounted, "file");
      calls.pwrite(fd, arena.allocate(16384).fill((byte) 5), 0);
      calls.fallocate(fd, EnumSet.of(AllocateFlag.ZERO_RANGE), 1, 8191);
      byte[] read = new byte[4];
      assertEquals(4, calls.preadCritical(fd, read, 0, 4, 0));
      assertArrayEquals(new byte[] {5, 0, 0, 0}, read);
      assertEquals(16384, calls.fstat(fd).sizeBytes());
      calls.close(fd);
    }
  }
}
