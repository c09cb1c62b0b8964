package dev.tailwater.posix.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultyFileCallsTest {
  private static final Set<OpenFlag> CREATE = EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE);
  private static final byte[] CONTENT = {1, 2, 3, 4, 5, 6, 7, 8};

  private final FileCalls real = LinuxFileCalls.create();
  private final Arena arena = Arena.ofShared();
  private MemorySegment content = MemorySegment.NULL;
  @TempDir private Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void prepare() {
    content = arena.allocateFrom(ValueLayout.JAVA_BYTE, CONTENT);
    file = directory.resolve("file");
  }

  @AfterEach
  void free() {
    arena.close();
  }

  private FaultyFileCalls with(FaultPlan plan) {
    return FaultyFileCalls.wrap(real, plan);
  }

  @Test
  void noMoreDescriptorsAreOpenThanTheLimitAllows() throws Exception {
    FaultyFileCalls faulty = with(FaultPlan.none()).limitDescriptors(1);
    int first = faulty.calls().eventFd();
    ErrnoException e = assertThrows(ErrnoException.class, () -> faulty.calls().eventFd());
    assertEquals(Errno.EMFILE, e.errno());
    faulty.calls().close(first);
    faulty.calls().close(faulty.calls().eventFd());
    assertEquals(List.of(), faulty.openDescriptors());
  }

  private int open(FaultyFileCalls faulty) throws ErrnoException {
    return faulty.calls().open(NameCalls.AT_FDCWD, PosixPath.of(file), CREATE, 0600);
  }

  @Test
  void aDelayedCallIsMadeThoughItsThreadIsInterrupted() throws Exception {
    FaultyFileCalls faulty =
        with(FaultPlan.when(call -> call.is("close"), new Fault.Delay(60_000)));
    int fd = open(faulty);
    Thread.currentThread().interrupt();
    faulty.calls().close(fd);
    assertTrue(Thread.interrupted());
    assertEquals(List.of(), faulty.openDescriptors());
  }

  @Test
  void withoutFaultsEveryCallIsTheRealOneAndIsCounted() throws IOException {
    FaultyFileCalls faulty = with(FaultPlan.none());
    int fd = open(faulty);
    assertEquals(8, faulty.calls().pwrite(fd, content, 0));
    assertEquals(List.of(fd), faulty.openDescriptors());
    faulty.calls().close(fd);
    assertEquals(List.of("open", "pwrite", "close"), faulty.log());
    assertEquals(3, faulty.callCount());
    assertEquals(List.of(), faulty.openDescriptors());
    assertFalse(faulty.crashed());
    assertArrayEquals(CONTENT, Files.readAllBytes(file));
  }

  @Test
  void failsOnceAsTheKernelWouldAndHasNoEffect() throws IOException {
    FaultyFileCalls faulty = with(FaultPlan.failOnce("pwrite", Errno.ENOSPC));
    int fd = open(faulty);
    ErrnoException failure =
        assertThrows(ErrnoException.class, () -> faulty.calls().pwrite(fd, content, 0));
    assertEquals("pwrite fd " + fd + ": ENOSPC (No space left on device)", failure.getMessage());
    assertEquals(0, Files.size(file));
    assertEquals(8, faulty.calls().pwrite(fd, content, 0));
    faulty.kill();
  }

  @Test
  void failsEveryTime() throws IOException {
    FaultyFileCalls faulty = with(FaultPlan.failAll("fsync", Errno.EIO));
    int fd = open(faulty);
    for (int i = 0; i < 3; i++) {
      assertThrows(ErrnoException.class, () -> faulty.calls().fsync(fd));
    }
    faulty.calls().fdatasync(fd);
    faulty.kill();
  }

  @Test
  void failsTheCallOfThatNumber() throws IOException {
    FaultyFileCalls faulty = with(FaultPlan.failAt(2, Errno.EIO));
    int fd = open(faulty);
    assertThrows(ErrnoException.class, () -> faulty.calls().fsync(fd));
    faulty.calls().fsync(fd);
    faulty.kill();
  }

  @Test
  void closeThatFailsFreesTheDescriptor() throws IOException {
    FaultyFileCalls faulty = with(FaultPlan.failOnce("close", Errno.EIO));
    int fd = open(faulty);
    assertThrows(ErrnoException.class, () -> faulty.calls().close(fd));
    assertEquals(List.of(), faulty.openDescriptors());
    assertEquals(Errno.EBADF, assertThrows(ErrnoException.class, () -> real.fstat(fd)).errno());
  }

  @Test
  void shortensReadsAndWrites() throws IOException {
    FaultyFileCalls faulty = with(FaultPlan.shortenAll(3));
    int fd = open(faulty);
    assertEquals(3, faulty.calls().pwrite(fd, content, 0));
    assertEquals(3, Files.size(file));
    Files.write(file, CONTENT);
    assertEquals(3, faulty.calls().pread(fd, content, 0));
    assertEquals(3, faulty.calls().preadv2(fd, content, 0, Set.of()));
    byte[] heap = new byte[8];
    assertEquals(3, faulty.calls().preadCritical(fd, heap, 2, 6, 0));
    assertArrayEquals(new byte[] {0, 0, 1, 2, 3, 0, 0, 0}, heap);
    assertEquals(1, faulty.calls().pread(fd, content, 7));
    faulty.kill();
  }

  @Test
  void delayedCallIsMadeNevertheless() throws IOException {
    FaultyFileCalls faulty = with(FaultPlan.delayAll("pwrite", 5));
    int fd = open(faulty);
    assertEquals(8, faulty.calls().pwrite(fd, content, 0));
    assertArrayEquals(CONTENT, Files.readAllBytes(file));
    faulty.kill();
  }

  @Test
  void crashBeforeTheCallHasNoEffectAndIsFinal() throws IOException {
    FaultyFileCalls faulty = with(FaultPlan.crashAt(2));
    int fd = open(faulty);
    CrashError crash = assertThrows(CrashError.class, () -> faulty.calls().pwrite(fd, content, 0));
    assertEquals(2, crash.callNumber());
    assertTrue(faulty.crashed());
    assertThrows(CrashError.class, () -> faulty.calls().close(fd));
    assertEquals(2, faulty.callCount());
    assertEquals(0, Files.size(file));
    assertEquals(List.of(fd), faulty.openDescriptors());
    faulty.kill();
    assertEquals(List.of(), faulty.openDescriptors());
  }

  @Test
  void crashAfterTheCallHasItsEffect() throws IOException {
    FaultyFileCalls faulty = with(FaultPlan.crashAfter(2));
    int fd = open(faulty);
    assertThrows(CrashError.class, () -> faulty.calls().pwrite(fd, content, 0));
    assertArrayEquals(CONTENT, Files.readAllBytes(file));
    faulty.kill();
  }

  @Test
  void crashAfterOpenClosesWhatWasOpened() throws IOException {
    FaultyFileCalls faulty = with(FaultPlan.crashAfter(1));
    assertThrows(CrashError.class, () -> open(faulty));
    assertEquals(1, faulty.openDescriptors().size());
    faulty.kill();
    assertEquals(List.of(), faulty.openDescriptors());
  }

  @Test
  void crashWithinAWriteTearsIt() throws IOException {
    FaultyFileCalls faulty = with(FaultPlan.crashWithin(2, 5));
    int fd = open(faulty);
    assertThrows(CrashError.class, () -> faulty.calls().pwrite(fd, content, 0));
    assertArrayEquals(new byte[] {1, 2, 3, 4, 5}, Files.readAllBytes(file));
    faulty.kill();
  }

  @Test
  void killClosesDescriptorsAndFreesLocks() throws IOException {
    FaultyFileCalls first = with(FaultPlan.none());
    int fd = open(first);
    int eventFd = first.calls().eventFd();
    int inotifyFd = first.calls().inotifyInit();
    assertTrue(first.calls().tryLock(fd));
    FaultyFileCalls second = with(FaultPlan.none());
    int other = open(second);
    assertFalse(second.calls().tryLock(other));
    first.kill();
    assertTrue(first.crashed());
    assertTrue(second.calls().tryLock(other));
    for (int closed : new int[] {fd, eventFd, inotifyFd}) {
      assertEquals(
          Errno.EBADF, assertThrows(ErrnoException.class, () -> real.fstat(closed)).errno());
    }
    first.kill();
    second.kill();
  }

  @Test
  void killEndsAPollWithoutTimeOut() throws Exception {
    FaultyFileCalls faulty = with(FaultPlan.none());
    int eventFd = faulty.calls().eventFd();
    CountDownLatch started = new CountDownLatch(1);
    CompletableFuture<Long> poll =
        CompletableFuture.supplyAsync(
            () -> {
              started.countDown();
              try {
                return faulty.calls().pollReadable(new int[] {eventFd}, -1);
              } catch (ErrnoException e) {
                throw new IllegalStateException(e);
              }
            });
    assertTrue(started.await(30, TimeUnit.SECONDS));
    faulty.kill();
    ExecutionException death =
        assertThrows(ExecutionException.class, () -> poll.get(30, TimeUnit.SECONDS));
    assertInstanceOf(CrashError.class, death.getCause());
  }

  @Test
  void pollIsWokenAndTimesOutAsTheRealOne() throws IOException {
    FaultyFileCalls faulty = with(FaultPlan.none());
    int eventFd = faulty.calls().eventFd();
    int[] fds = {eventFd};
    assertEquals(0, faulty.calls().pollReadable(fds, 0));
    assertEquals(0, faulty.calls().pollReadable(fds, 25));
    faulty.calls().signalEventFd(eventFd);
    assertEquals(1, faulty.calls().pollReadable(fds, -1));
    assertEquals(1, faulty.calls().pollReadable(fds, 10_000));
    faulty.kill();
  }

  @Test
  void callsOfManyThreadsAreCountedOnceEachAndAllEndWithTheCrash() throws Exception {
    int fatalCall = 500;
    FaultyFileCalls faulty = with(FaultPlan.crashAt(fatalCall));
    int fd = open(faulty);
    Queue<Throwable> ends = new ConcurrentLinkedQueue<>();
    Thread[] threads = new Thread[8];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = Thread.ofPlatform().start(() -> ends.add(endOfWriting(faulty, fd)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(threads.length, ends.size());
    for (Throwable end : ends) {
      assertEquals(fatalCall, assertInstanceOf(CrashError.class, end).callNumber());
    }
    assertEquals(fatalCall, faulty.callCount());
    faulty.kill();
  }

  private static Throwable endOfWriting(FaultyFileCalls faulty, int fd) {
    try {
      while (true) {
        faulty.calls().truncate(fd, 1);
      }
    } catch (CrashError | ErrnoException e) {
      return e;
    }
  }

  @Test
  void firstPlanThatHasAFaultDecides() {
    FaultPlan plan =
        FaultPlan.failAt(1, Errno.EIO)
            .or(FaultPlan.failAll("fsync", Errno.ENOSPC).from(3))
            .or(FaultPlan.shortenAll("pread", 1));
    assertEquals(new Fault.Fail(Errno.EIO), plan.decide(new Call(1, "fsync", List.of())));
    assertEquals(Fault.PROCEED, plan.decide(new Call(2, "fsync", List.of())));
    assertEquals(new Fault.Fail(Errno.ENOSPC), plan.decide(new Call(3, "fsync", List.of())));
    assertEquals(new Fault.Shorten(1), plan.decide(new Call(4, "pread", List.of())));
  }

  @Test
  void planForAnUnknownCallIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> FaultPlan.failOnce("fsink", Errno.EIO));
    assertThrows(IllegalArgumentException.class, () -> new Fault.Shorten(0));
  }
}
