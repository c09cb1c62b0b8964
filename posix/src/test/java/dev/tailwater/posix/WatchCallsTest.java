package dev.tailwater.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.WatchEvent;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchCallsTest {
  private static final Set<WatchEvent> CHANGES =
      EnumSet.of(
          WatchEvent.CREATE,
          WatchEvent.DELETE,
          WatchEvent.MODIFY,
          WatchEvent.CLOSE_WRITE,
          WatchEvent.MOVED_FROM,
          WatchEvent.MOVED_TO);

  private final FileCalls calls = LinuxFileCalls.create();
  private final Arena arena = Arena.ofShared();
  @TempDir private Path directory;
  private int inotifyFd;
  private int eventFd;

  @BeforeEach
  void open() throws IOException {
    inotifyFd = calls.inotifyInit();
    eventFd = calls.eventFd();
  }

  @AfterEach
  void close() throws IOException {
    calls.close(inotifyFd);
    calls.close(eventFd);
    arena.close();
  }

  private List<RawEvent> events() throws IOException {
    MemorySegment buffer = arena.allocate(64 * 1024, 8);
    return RawEvent.parse(buffer, calls.inotifyRead(inotifyFd, buffer));
  }

  private int watch(Path path, Set<WatchEvent> events) throws IOException {
    return calls.inotifyAddWatch(inotifyFd, PosixPath.of(path), events);
  }

  @Test
  void tellsOfCreationWritingAndDeletion() throws IOException {
    int watch = watch(directory, CHANGES);
    assertEquals(List.of(), events());
    Path file = directory.resolve("file");
    Files.writeString(file, "x");
    Files.delete(file);
    assertEquals(
        List.of(
            new RawEvent(watch, RawEvent.CREATE, 0, "file"),
            new RawEvent(watch, RawEvent.MODIFY, 0, "file"),
            new RawEvent(watch, RawEvent.CLOSE_WRITE, 0, "file"),
            new RawEvent(watch, RawEvent.DELETE, 0, "file")),
        events());
  }

  @Test
  void bothHalvesOfARenameHaveOneCookie() throws IOException {
    Path file = Files.createFile(directory.resolve("app.log"));
    watch(directory, CHANGES);
    Files.move(file, directory.resolve("app.log.1"));
    List<RawEvent> events = events();
    assertEquals(2, events.size());
    assertEquals(RawEvent.MOVED_FROM, events.get(0).mask());
    assertEquals("app.log", events.get(0).name());
    assertEquals(RawEvent.MOVED_TO, events.get(1).mask());
    assertEquals("app.log.1", events.get(1).name());
    assertNotEquals(0, events.get(0).cookie());
    assertEquals(events.get(0).cookie(), events.get(1).cookie());
  }

  @Test
  void removedWatchIsSilentAndSaidToBeIgnored() throws IOException {
    int watch = watch(directory, CHANGES);
    calls.inotifyRemoveWatch(inotifyFd, watch);
    Files.createFile(directory.resolve("file"));
    assertEquals(List.of(new RawEvent(watch, RawEvent.IGNORED, 0, "")), events());
    assertEquals(
        "inotify_rm_watch fd %d watch %d: EINVAL (Invalid argument)".formatted(inotifyFd, watch),
        Expect.errno(Errno.EINVAL, () -> calls.inotifyRemoveWatch(inotifyFd, watch)).getMessage());
  }

  @Test
  void unlinkedChildrenAreSilentWhenExcluded() throws IOException {
    Set<WatchEvent> events = EnumSet.of(WatchEvent.MODIFY, WatchEvent.EXCLUDE_UNLINKED);
    watch(directory, events);
    Path file = directory.resolve("file");
    int fd =
        calls.open(
            NameCalls.AT_FDCWD,
            PosixPath.of(file),
            EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE),
            0600);
    Files.delete(file);
    calls.pwrite(fd, arena.allocate(10), 0);
    assertEquals(List.of(), events());
    calls.close(fd);
  }

  @Test
  void watchSaysErrno() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
    assertEquals(
        "inotify_add_watch " + file + "x: ENOENT (No such file or directory)",
        Expect.errno(Errno.ENOENT, () -> watch(Path.of(file + "x"), CHANGES)).getMessage());
    Expect.errno(
        Errno.ENOTDIR, () -> watch(file, EnumSet.of(WatchEvent.MODIFY, WatchEvent.ONLY_DIRECTORY)));
    Expect.errno(
        Errno.ENOTDIR,
        () ->
            watch(
                link,
                EnumSet.of(WatchEvent.CREATE, WatchEvent.ONLY_DIRECTORY, WatchEvent.NO_FOLLOW)));
    Expect.errno(Errno.EINVAL, () -> watch(directory, Set.of()));
    Expect.errno(Errno.EBADF, () -> calls.inotifyAddWatch(-1, PosixPath.of(directory), CHANGES));
    Expect.errno(
        Errno.EINVAL, () -> calls.inotifyAddWatch(eventFd, PosixPath.of(directory), CHANGES));
    Expect.errno(Errno.EBADF, () -> calls.inotifyRemoveWatch(-1, 1));
  }

  @Test
  void readingIntoTooLittleRoomSaysEinval() throws IOException {
    watch(directory, CHANGES);
    Files.createFile(directory.resolve("n".repeat(255)));
    MemorySegment small = arena.allocate(271, 8);
    Expect.errno(Errno.EINVAL, () -> calls.inotifyRead(inotifyFd, small));
    assertEquals(272, calls.inotifyRead(inotifyFd, arena.allocate(272, 8)));
    Expect.errno(Errno.EBADF, () -> calls.inotifyRead(-1, small));
  }

  @Test
  void pollSaysWhichDescriptorsAreReadable() throws IOException {
    watch(directory, CHANGES);
    assertEquals(0, calls.pollReadable(new int[] {inotifyFd, eventFd}, 0));
    Files.createFile(directory.resolve("file"));
    assertEquals(1, calls.pollReadable(new int[] {inotifyFd, eventFd}, 0));
    calls.signalEventFd(eventFd);
    assertEquals(0b11, calls.pollReadable(new int[] {inotifyFd, eventFd}, -1));
  }

  @Test
  void dataIsNothingExceptional() throws IOException {
    calls.signalEventFd(eventFd);
    assertEquals(0, calls.pollReadable(new int[] {inotifyFd, eventFd}, 0b10, 0));
    assertEquals(0b10, calls.pollReadable(new int[] {inotifyFd, eventFd}, 0b01, 0));
  }

  @Test
  void signalsAddUpToOneAndAreCleared() throws IOException {
    int[] fds = {eventFd};
    calls.clearEventFd(eventFd);
    calls.signalEventFd(eventFd);
    calls.signalEventFd(eventFd);
    assertEquals(1, calls.pollReadable(fds, -1));
    calls.clearEventFd(eventFd);
    assertEquals(0, calls.pollReadable(fds, 0));
    Expect.errno(Errno.EBADF, () -> calls.signalEventFd(-1));
    Expect.errno(Errno.EBADF, () -> calls.clearEventFd(-1));
  }

  @Test
  void signalWakesAPollOfAnotherThread() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    FutureTask<Long> poll =
        new FutureTask<>(
            () -> {
              started.countDown();
              return calls.pollReadable(new int[] {inotifyFd, eventFd}, -1);
            });
    Thread thread = Thread.ofPlatform().start(poll);
    assertTrue(started.await(30, TimeUnit.SECONDS));
    calls.signalEventFd(eventFd);
    assertEquals(0b10, poll.get(30, TimeUnit.SECONDS));
    thread.join();
  }

  @Test
  void pollReturnsNothingAtItsTimeOut() throws IOException {
    assertEquals(0, calls.pollReadable(new int[] {eventFd}, 20));
    assertEquals(0, calls.pollReadable(new int[] {-1}, 0));
    assertEquals(0, calls.pollReadable(new int[0], 0));
  }

  @Test
  void signalToTheThreadDoesNotEndAPoll() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    int[] threadId = new int[1];
    FutureTask<Long> poll =
        new FutureTask<>(
            () -> {
              threadId[0] = Signals.currentThread();
              started.countDown();
              return calls.pollReadable(new int[] {eventFd}, -1);
            });
    Thread thread = Thread.ofPlatform().start(poll);
    assertTrue(started.await(30, TimeUnit.SECONDS));
    for (int i = 0; i < 200; i++) {
      Signals.interrupt(threadId[0]);
      assertThrows(TimeoutException.class, () -> poll.get(1, TimeUnit.MILLISECONDS));
    }
    calls.signalEventFd(eventFd);
    assertEquals(1, poll.get(30, TimeUnit.SECONDS));
    thread.join();
  }

  @Test
  void interruptedPollKeepsItsTimeOut() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    int[] threadId = new int[1];
    FutureTask<Long> poll =
        new FutureTask<>(
            () -> {
              threadId[0] = Signals.currentThread();
              started.countDown();
              return calls.pollReadable(new int[] {eventFd}, 200);
            });
    Thread thread = Thread.ofPlatform().start(poll);
    assertTrue(started.await(30, TimeUnit.SECONDS));
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!poll.isDone() && System.nanoTime() - deadlineNanos < 0) {
      Signals.interrupt(threadId[0]); // far more often than every 200 ms
    }
    assertEquals(0, poll.get(1, TimeUnit.SECONDS));
    thread.join();
  }

  @Test
  void pollNamesADescriptorThatIsNotOpen() throws IOException {
    int closed = calls.eventFd();
    calls.close(closed);
    assertEquals(
        "poll fd " + closed + ": EBADF (Bad file descriptor)",
        Expect.errno(Errno.EBADF, () -> calls.pollReadable(new int[] {eventFd, closed}, -1))
            .getMessage());
    assertThrows(IllegalArgumentException.class, () -> calls.pollReadable(new int[65], 0));
  }

  @Test
  void pollTellsSixtyFourDescriptorsApart() throws IOException {
    int[] fds = new int[64];
    for (int i = 0; i < fds.length; i++) {
      fds[i] = calls.eventFd();
    }
    calls.signalEventFd(fds[0]);
    calls.signalEventFd(fds[31]);
    calls.signalEventFd(fds[63]);
    assertEquals(1L | 1L << 31 | 1L << 63, calls.pollReadable(fds, -1));
    for (int fd : fds) {
      calls.close(fd);
    }
  }
}
