package dev.tailwater.posix.testkit.fuse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.RenameFlag;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that need /dev/fuse, fusermount3 and libfuse3; skipped otherwise. */
class FuseFileSystemTest {
  private static final int KIB = 1024;
  private static final long PAGE_BYTES = 4096;

  private final FileCalls calls = LinuxFileCalls.create();

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  private void writeAligned(FuseFileSystem mounted, int sizeBytes) throws IOException {
    PosixPath file = PosixPath.of(mounted.root().resolve("aligned"));
    int fd =
        calls.open(NameCalls.AT_FDCWD, file, Set.of(OpenFlag.WRITE_ONLY, OpenFlag.CREATE), 0600);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocate(sizeBytes, PAGE_BYTES);
      assertEquals(sizeBytes, calls.pwrite(fd, source, 0));
    } finally {
      calls.close(fd);
    }
  }

  @Test
  void keepsFilesAndDirectoriesAsAnyFileSystemDoes() throws IOException {
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct())) {
      Path directory = Files.createDirectory(mounted.root().resolve("directory"));
      Path file = directory.resolve("file");
      byte[] content = bytes(300_001);
      Files.write(file, content);
      assertArrayEquals(content, Files.readAllBytes(file));
      assertEquals(content.length, Files.size(file));
      assertArrayEquals(content, Files.readAllBytes(mounted.files().resolve("directory/file")));
      assertThrows(FileAlreadyExistsException.class, () -> Files.createFile(file));
      assertThrows(DirectoryNotEmptyException.class, () -> Files.delete(directory));

      Path moved = Files.move(file, mounted.root().resolve("moved"));
      try (Stream<Path> names = Files.list(mounted.root())) {
        assertEquals(Set.of(directory, moved), Set.copyOf(names.toList()));
      }
      try (RandomAccessFile open = new RandomAccessFile(moved.toFile(), "rw")) {
        open.setLength(7);
        open.getFD().sync();
      }
      assertEquals(7, Files.size(moved));
      assertEquals(1, mounted.counts().fsyncRequests());
      Files.writeString(moved, "shorter");
      Files.write(file, content);
      Files.move(file, moved, StandardCopyOption.REPLACE_EXISTING);
      assertArrayEquals(content, Files.readAllBytes(moved));
      Files.delete(moved);
      Files.delete(directory);
      assertThrows(NoSuchFileException.class, () -> Files.size(moved));
    }
  }

  @Test
  void withDirectIoEachWriteCallIsOneRequest() throws IOException {
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct())) {
      try (OutputStream out = Files.newOutputStream(mounted.root().resolve("file"))) {
        for (int written = 0; written < 64; written++) {
          out.write(new byte[8 * KIB]);
        }
      }
      FuseCounts counts = mounted.counts();
      assertEquals(Map.of(8 * KIB, 64L), counts.writeSizes());
      assertEquals(64, counts.writeRequests());
      assertEquals(512 * KIB, counts.writeBytes());
    }
  }

  @Test
  void anAlignedWriteIsCutIntoRequestsOfMaxWrite() throws IOException {
    try (FuseFileSystem mounted =
        FuseFileSystem.mount(FuseOptions.direct().withMaxWriteBytes(64 * KIB))) {
      writeAligned(mounted, 1024 * KIB);
      assertEquals(Map.of(64 * KIB, 16L), mounted.counts().writeSizes());
    }
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct())) {
      writeAligned(mounted, 1024 * KIB);
      assertEquals(Map.of(128 * KIB, 8L), mounted.counts().writeSizes());
    }
  }

  @Test
  void withoutDirectIoThePageCacheAnswersTheSecondReadOfAnOpenFile() throws IOException {
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.cached())) {
      Files.write(mounted.files().resolve("file"), bytes(100_000));
      try (RandomAccessFile file =
          new RandomAccessFile(mounted.root().resolve("file").toFile(), "r")) {
        file.readFully(new byte[100_000]);
        long first = mounted.counts().readRequests();
        assertTrue(first > 0, "no READ at all");
        file.seek(0);
        file.readFully(new byte[100_000]);
        assertEquals(first, mounted.counts().readRequests());
      }
    }
  }

  @Test
  void aDelayedReadWaitsAndIsSeenWaiting() throws Exception {
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct())) {
      Path file = mounted.root().resolve("file");
      Files.write(file, bytes(1000));
      mounted.reset();
      long delayMicros = 300_000;
      mounted.delayReads(delayMicros);
      long startNanos = System.nanoTime();
      Thread reader = Thread.ofPlatform().start(() -> assertReads(file));
      while (mounted.counts().readRequests() == 0 && reader.isAlive()) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      reader.join();
      long tookMicros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNanos);
      assertTrue(tookMicros >= delayMicros, "took only " + tookMicros);
      mounted.delayReads(0);
      mounted.reset();
      assertEquals(0, mounted.counts().readRequests());
    }
  }

  @Test
  void aHeldReadIsSeenWaitingAndEndsWhenItIsReleased() throws Exception {
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct())) {
      Path file = Files.write(mounted.root().resolve("file"), bytes(KIB));
      mounted.holdReads();
      Thread reader = Thread.ofPlatform().start(() -> assertReads(file));
      try {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (mounted.counts().readRequests() == 0) {
          assertTrue(System.nanoTime() < deadline, "no READ came");
        }
        assertTrue(reader.isAlive());
      } finally {
        mounted.releaseReads();
      }
      reader.join();
    }
  }

  private static void assertReads(Path file) {
    try {
      Files.readAllBytes(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void closeLeavesNeitherMountNorDirectoryNorProcess() throws IOException {
    FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct());
    ProcessHandle server = mounted.server();
    assertTrue(server.isAlive());
    mounted.close();
    mounted.close();
    assertFalse(server.isAlive());
    assertFalse(Files.exists(mounted.root()));
    assertFalse(mounts().contains(mounted.root().toString()));
    assertThrows(IllegalStateException.class, mounted::counts);
  }

  @Test
  void closeReportsAFileThatIsStillOpen() throws IOException {
    FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct());
    Path file = Files.createFile(mounted.root().resolve("file"));
    RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw");
    assertThrows(IOException.class, mounted::close);
    assertThrows(IOException.class, () -> open.write(1));
    assertThrows(IOException.class, open::close); // nobody answers its FLUSH
    assertFalse(Files.exists(mounted.root()));
    assertFalse(mounted.server().isAlive());
  }

  @Test
  void closeCleansUpAfterAServerThatWasKilled() throws Exception {
    FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct());
    mounted.server().destroyForcibly();
    mounted.server().onExit().get();
    assertThrows(IOException.class, mounted::close);
    assertFalse(mounts().contains(mounted.root().toString()));
    assertFalse(Files.exists(mounted.root()));
  }

  @Test
  void aServerThatWasKilledAndStartedAnewHasTheSameFiles() throws IOException {
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct())) {
      Path file = Files.write(mounted.root().resolve("file"), bytes(5000));
      mounted.killServer();
      assertThrows(IOException.class, () -> Files.readAllBytes(file));
      mounted.restartServer();
      assertArrayEquals(bytes(5000), Files.readAllBytes(file));
      mounted.killServer();
    }
  }

  @Test
  void plannedFaultsComeToTheRequestsTheyAreMeantForAndAreOverThen() throws IOException {
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct())) {
      Path file = mounted.root().resolve("file");
      mounted.fail(FuseRequest.FLUSH, Errno.EDQUOT, 1);
      IOException full = assertThrows(IOException.class, () -> Files.write(file, bytes(10)));
      assertTrue(full.toString().contains("quota"), full.toString());
      assertArrayEquals(bytes(10), Files.readAllBytes(file));
      mounted.fail(FuseRequest.MKDIR, Errno.ESTALE, 5);
      assertThrows(
          IOException.class, () -> Files.createDirectory(mounted.root().resolve("directory")));
      mounted.heal();
      Files.createDirectory(mounted.root().resolve("directory"));
    }
  }

  @Test
  void aRepeatedLinkIsThereAndSaysThatItWas() throws IOException {
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct())) {
      Path file = Files.write(mounted.root().resolve("file"), bytes(10));
      mounted.reset();
      mounted.repeat(FuseRequest.LINK, 1);
      Path second = mounted.root().resolve("second");
      assertThrows(FileAlreadyExistsException.class, () -> Files.createLink(second, file));
      assertArrayEquals(bytes(10), Files.readAllBytes(second));
      assertEquals(2, Files.getAttribute(file, "unix:nlink"));
      assertEquals(1L, mounted.requests().get(FuseRequest.LINK));
    }
  }

  @Test
  void renameFlagsAreRefusedWhereNfsWouldRefuseThem() throws IOException {
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct().withoutRenameFlags())) {
      Files.createFile(mounted.root().resolve("a"));
      int fd = calls.open(NameCalls.AT_FDCWD, mounted.path(), Set.of(OpenFlag.DIRECTORY), 0);
      PosixPath from = PosixPath.of("a");
      PosixPath to = PosixPath.of("b");
      ErrnoException e =
          assertThrows(
              ErrnoException.class,
              () -> calls.rename(fd, from, fd, to, Set.of(RenameFlag.NO_REPLACE)));
      assertEquals(Errno.EINVAL, e.errno());
      calls.rename(fd, from, fd, to, Set.of());
      calls.close(fd);
    }
  }

  private static String mounts() throws IOException {
    return Files.readString(Path.of("/proc/self/mounts"));
  }
}
