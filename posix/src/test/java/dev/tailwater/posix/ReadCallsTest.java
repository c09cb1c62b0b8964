package dev.tailwater.posix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.CacheStatistics;
import dev.tailwater.posix.value.ReadFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadCallsTest {
  private static final byte[] CONTENT = "0123456789".getBytes(StandardCharsets.UTF_8);

  private final FileCalls calls = LinuxFileCalls.create();
  private final Arena arena = Arena.ofConfined();
  @TempDir private Path directory;
  private int fd;

  @BeforeEach
  void openFile() throws IOException {
    Path file = directory.resolve("file");
    Files.write(file, CONTENT);
    fd = calls.open(NameCalls.AT_FDCWD, PosixPath.of(file), Set.of(), 0);
  }

  @AfterEach
  void closeFile() throws IOException {
    calls.close(fd);
    arena.close();
  }

  @Test
  void readsFromAnOffset() throws IOException {
    MemorySegment target = arena.allocate(4);
    assertEquals(4, calls.pread(fd, target, 3));
    assertArrayEquals(
        "3456".getBytes(StandardCharsets.UTF_8), target.toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void readsLessAtTheEndAndNothingBehindIt() throws IOException {
    MemorySegment target = arena.allocate(64);
    assertEquals(2, calls.pread(fd, target, 8));
    assertEquals(0, calls.pread(fd, target, 10));
    assertEquals(0, calls.preadCritical(fd, new byte[8], 0, 8, 1_000_000));
  }

  @Test
  void readsCriticallyIntoTheMiddleOfAnArray() throws IOException {
    byte[] target = new byte[8];
    Arrays.fill(target, (byte) '-');
    assertEquals(3, calls.preadCritical(fd, target, 2, 3, 5));
    assertEquals("--567---", new String(target, StandardCharsets.UTF_8));
  }

  @Test
  void criticalReadSaysErrno() throws IOException {
    int directoryFd = calls.open(NameCalls.AT_FDCWD, PosixPath.of(directory), Set.of(), 0);
    ErrnoException failure =
        Expect.errno(Errno.EISDIR, () -> calls.preadCritical(directoryFd, new byte[8], 0, 8, 0));
    assertEquals("pread fd " + directoryFd + ": EISDIR (Is a directory)", failure.getMessage());
    calls.close(directoryFd);
    Expect.errno(Errno.EBADF, () -> calls.preadCritical(directoryFd, new byte[8], 0, 8, 0));
    Expect.errno(Errno.EINVAL, () -> calls.preadCritical(fd, new byte[8], 0, 8, -1));
  }

  @Test
  void criticalReadRefusesMoreThanItsLimit() {
    byte[] target = new byte[ReadCalls.MAX_CRITICAL_BYTES + 1];
    assertThrows(
        IllegalArgumentException.class, () -> calls.preadCritical(fd, target, 0, target.length, 0));
    assertThrows(
        IndexOutOfBoundsException.class, () -> calls.preadCritical(fd, new byte[4], 1, 4, 0));
  }

  @Test
  void preadSaysErrno() {
    MemorySegment target = arena.allocate(8);
    Expect.errno(Errno.EBADF, () -> calls.pread(-1, target, 0));
    Expect.errno(Errno.EINVAL, () -> calls.pread(fd, target, -1));
    Expect.errno(
        Errno.ESPIPE,
        () -> {
          int eventFd = calls.eventFd();
          try {
            calls.pread(eventFd, target, 0);
          } finally {
            calls.close(eventFd);
          }
        });
  }

  @Test
  void ordinaryReadRefusesHeapMemory() {
    MemorySegment heap = MemorySegment.ofArray(new byte[8]);
    assertThrows(IllegalArgumentException.class, () -> calls.pread(fd, heap, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> calls.preadv2(fd, heap, 0, EnumSet.noneOf(ReadFlag.class)));
  }

  @Test
  void preadv2WithoutWaitingReadsWhatIsResident() throws IOException {
    MemorySegment target = arena.allocate(4);
    assertEquals(4, calls.preadv2(fd, target, 2, EnumSet.of(ReadFlag.NO_WAIT)));
    assertEquals('2', target.get(ValueLayout.JAVA_BYTE, 0));
  }

  @Test
  void cachestatCountsTheResidentPage() throws IOException {
    CacheStatistics statistics = calls.cachestat(fd, 0, CONTENT.length);
    assertEquals(1, statistics.cachedPages());
    assertTrue(statistics.dirtyPages() <= 1);
    Expect.errno(Errno.EBADF, () -> calls.cachestat(-1, 0, 1));
  }

  /** As in a kernel that was built without it, or under the seccomp profile of a container. */
  @Test
  void adviceThatIsNotTakenIsNoReasonToFail() throws Exception {
    int number = System.getProperty("os.arch").equals("aarch64") ? 223 : 221;
    for (Errno refusal : List.of(Errno.ENOSYS, Errno.EPERM)) {
      FutureTask<ErrnoException> refused =
          new FutureTask<>(
              () -> {
                RefusedSystemCall.inThisThread(number, refusal.number());
                FileAdvice.give(calls, fd, 0, 0, Advice.RANDOM);
                return assertThrows(
                    ErrnoException.class, () -> calls.fadvise(fd, 0, 0, Advice.RANDOM));
              });
      Thread.ofPlatform().start(refused);
      assertEquals(refusal, refused.get().errno());
    }
    Expect.errno(Errno.EBADF, () -> FileAdvice.give(calls, -1, 0, 0, Advice.NORMAL));
  }

  @Test
  void fadviseSaysErrno() throws IOException {
    for (Advice advice : Advice.values()) {
      calls.fadvise(fd, 0, 0, advice);
    }
    Expect.errno(Errno.EBADF, () -> calls.fadvise(-1, 0, 0, Advice.NORMAL));
    Expect.errno(Errno.EINVAL, () -> calls.fadvise(fd, 0, -1, Advice.NORMAL));
  }
}
