package dev.tailwater.posix;

import static dev.tailwater.posix.NameCalls.AT_FDCWD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.binding.StatxLayout;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.DirectAlignment;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.FileSystemStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.StatFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusCallsTest {
  private static final Set<OpenFlag> CREATE = EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE);

  private final FileCalls calls = LinuxFileCalls.create();
  @TempDir private Path directory;

  private int open(Path path) throws IOException {
    return calls.open(AT_FDCWD, PosixPath.of(path), Set.of(), 0);
  }

  @Test
  void saysTheSameAsTheJvm() throws IOException {
    Path file = Files.write(directory.resolve("file"), new byte[5000]);
    Files.createLink(directory.resolve("second"), file);
    FileStatus status = calls.statx(AT_FDCWD, PosixPath.of(file), Set.of());
    long device = (long) Files.getAttribute(file, "unix:dev");
    assertEquals(device >> 8 & 0xfff, status.device() >>> 32);
    assertEquals((device & 0xff) | (device >> 12 & 0xfff00), status.device() & 0xffff_ffffL);
    assertEquals(Files.getAttribute(file, "unix:ino"), status.inode());
    assertEquals(Files.getAttribute(file, "unix:nlink"), status.links());
    assertEquals((int) Files.getAttribute(file, "unix:mode") & 07777, status.permissions());
    assertEquals(EntryType.REGULAR, status.type());
    assertEquals(5000, status.sizeBytes());
    assertEquals(nanos(Files.getLastModifiedTime(file)), status.modificationTimeNanos());
    assertEquals(
        nanos((FileTime) Files.getAttribute(file, "unix:ctime")), status.changeTimeNanos());
    assertTrue(status.allocatedBytes() >= 5000 || status.allocatedBytes() == 0);
    assertTrue(status.blockSizeBytes() >= 512);
    assertTrue(status.mountId() > 0);
    assertTrue(status.birthTimeNanos().orElse(0) <= status.changeTimeNanos());
  }

  private static long nanos(FileTime time) {
    return time.to(TimeUnit.NANOSECONDS);
  }

  @Test
  void tellsHowADescriptorIsOpen() throws IOException {
    PosixPath file = PosixPath.of(Files.createFile(directory.resolve("flags")));
    for (Set<OpenFlag> flags :
        List.of(
            Set.<OpenFlag>of(),
            EnumSet.of(OpenFlag.WRITE_ONLY, OpenFlag.APPEND),
            EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.DATA_SYNC, OpenFlag.NON_BLOCK),
            EnumSet.of(OpenFlag.NO_ACCESS_TIME),
            EnumSet.of(OpenFlag.PATH))) {
      int fd = calls.open(AT_FDCWD, file, flags, 0);
      assertEquals(flags, calls.openFlags(fd));
      calls.close(fd);
    }
    Expect.errno(Errno.EBADF, () -> calls.openFlags(-1));
  }

  @Test
  void tellsWhatDirectWritesNeed() throws IOException {
    int fd = open(Files.createFile(directory.resolve("direct")));
    Optional<DirectAlignment> alignment = calls.directAlignment(fd);
    calls.close(fd);
    assumeTrue(alignment.isPresent(), "this kernel or file system does not tell");
    DirectAlignment told = alignment.get();
    assertEquals(told.memoryBytes() == 0, told.offsetBytes() == 0, told::toString);
    assertTrue(Integer.bitCount(told.offsetBytes()) <= 1, told::toString);
    Expect.errno(Errno.EBADF, () -> calls.directAlignment(-1));
  }

  @Test
  void followsLinksUnlessTold() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    PosixPath link =
        PosixPath.of(Files.createSymbolicLink(directory.resolve("link"), file.getFileName()));
    assertEquals(EntryType.REGULAR, calls.statx(AT_FDCWD, link, Set.of()).type());
    assertEquals(
        EntryType.SYMBOLIC_LINK,
        calls.statx(AT_FDCWD, link, EnumSet.of(StatFlag.NO_FOLLOW)).type());
  }

  @Test
  void descriptorAndEmptyPathAreTheSameFile() throws IOException {
    int fd = open(directory);
    FileStatus status = calls.fstat(fd);
    assertEquals(EntryType.DIRECTORY, status.type());
    assertEquals(status, calls.statx(fd, PosixPath.EMPTY, EnumSet.of(StatFlag.EMPTY_PATH)));
    calls.close(fd);
  }

  @Test
  void statusSaysErrno() throws IOException {
    PosixPath none = PosixPath.of(directory).resolve("none");
    assertEquals(
        "statx " + none + ": ENOENT (No such file or directory)",
        Expect.errno(Errno.ENOENT, () -> calls.statx(AT_FDCWD, none, Set.of())).getMessage());
    Expect.errno(Errno.ENOENT, () -> calls.statx(AT_FDCWD, PosixPath.EMPTY, Set.of()));
    assertEquals(
        "fstat fd -1: EBADF (Bad file descriptor)",
        Expect.errno(Errno.EBADF, () -> calls.fstat(-1)).getMessage());
    Path file = Files.createFile(directory.resolve("file"));
    Expect.errno(
        Errno.ENOTDIR, () -> calls.statx(AT_FDCWD, PosixPath.of(file).resolve("x"), Set.of()));
  }

  @Test
  void knowsCharacterDevicesAndFilesWithoutBirth() throws IOException {
    FileStatus status = calls.statx(AT_FDCWD, PosixPath.of("/dev/null"), Set.of());
    assertEquals(EntryType.CHARACTER_DEVICE, status.type());
    FileStatus proc = calls.statx(AT_FDCWD, PosixPath.of("/proc/self/status"), Set.of());
    assertEquals(OptionalLong.empty(), proc.birthTimeNanos());
  }

  @Test
  void timesOutsideOfNanosecondsAreClamped() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment struct = arena.allocate(256, 8);
      struct.set(ValueLayout.JAVA_INT, 0, 0x7ff);
      struct.set(ValueLayout.JAVA_LONG, 112, Long.MAX_VALUE);
      struct.set(ValueLayout.JAVA_INT, 120, 999_999_999);
      struct.set(ValueLayout.JAVA_LONG, 96, Long.MIN_VALUE);
      FileStatus status = StatxLayout.read(struct.asByteBuffer().order(ByteOrder.nativeOrder()));
      assertTrue(status.modificationTimeNanos() > Long.MAX_VALUE - 2_000_000_000L);
      assertTrue(status.changeTimeNanos() < Long.MIN_VALUE + 3_000_000_000L);
      assertEquals(OptionalLong.empty(), status.birthTimeNanos());
      assertEquals(0, status.mountId());
      assertEquals(EntryType.UNKNOWN, status.type());
    }
  }

  @Test
  void generationSaysErrnoWhereThereIsNone() throws IOException {
    Expect.errno(Errno.EBADF, () -> calls.generation(-1));
    int fd = open(Path.of("/proc/self/status"));
    Expect.errno(Errno.ENOTTY, () -> calls.generation(fd));
    calls.close(fd);
  }

  @Test
  void fileSystemStatusAgreesWithStat() throws Exception {
    int fd = open(directory);
    FileSystemStatus status = calls.statfs(fd);
    assertEquals(directory.toFile().getTotalSpace(), status.totalBytes());
    assertEquals(statOfFileSystem("%S"), status.blockSizeBytes());
    assertTrue(status.availableBytes() <= status.totalBytes());
    assertEquals(255, status.maxNameBytes());
    calls.close(fd);
    Expect.errno(Errno.EBADF, () -> calls.statfs(fd));
    int procFd = open(Path.of("/proc"));
    assertEquals(0x9fa0, calls.statfs(procFd).type());
    calls.close(procFd);
  }

  private long statOfFileSystem(String format) throws Exception {
    Process stat =
        new ProcessBuilder("stat", "--file-system", "--format=" + format, directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String answer = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, stat.waitFor());
    return Long.parseLong(answer.strip());
  }

  @Test
  void lockBelongsToOneOpenOfTheFile() throws IOException {
    PosixPath path = PosixPath.of(directory).resolve("lock");
    int first = calls.open(AT_FDCWD, path, CREATE, 0600);
    int second = calls.open(AT_FDCWD, path, CREATE, 0600);
    assertTrue(calls.tryLock(first));
    assertTrue(calls.tryLock(first));
    assertFalse(calls.tryLock(second));
    calls.close(first);
    assertTrue(calls.tryLock(second));
    calls.close(second);
    Expect.errno(Errno.EBADF, () -> calls.tryLock(second));
  }
}
