package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.drain.DrainListener;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that were closed for others before it was known whether their bytes were replaced. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ClosedUncomparedTest {
  private static final int LINES = 40_000;

  private final AtomicLong passedNanos = new AtomicLong();

  /** The last time with which the agent has seen the log. */
  private final AtomicLong seenTimeNanos = new AtomicLong();

  private final CountDownLatch comparing = new CountDownLatch(1);
  private final AtomicReference<String> whenSafe = new AtomicReference<>("never safe");
  private volatile boolean isSlow;
  private volatile boolean isFull;
  private TestAgent.Place place;
  private Path log;
  private Path slow;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    log = Files.writeString(place.log("app.log"), "line\n".repeat(LINES));
    slow = Files.writeString(place.log("slow.log"), "line\n".repeat(100 * LINES));
  }

  /** Real calls, with which comparing one file takes until the test lets it go on. */
  private FileCalls calls() {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, called, arguments) -> {
              if (isSlow
                  && called.getName().startsWith("pread")
                  && Thread.currentThread().getName().equals("compare")
                  && isOf(slow, (int) arguments[0])) {
                comparing.countDown();
                Thread.sleep(500);
              }
              if (isFull
                  && called.getName().startsWith("open")
                  && Arrays.toString(arguments).contains("other.log")) {
                throw ErrnoException.of("open", "other.log", Errno.EMFILE);
              }
              try {
                Object result = called.invoke(TestAgent.REAL_CALLS, arguments);
                if (called.getName().equals("fstat") && isOf(log, (int) arguments[0])) {
                  seenTimeNanos.set(((FileStatus) result).modificationTimeNanos());
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static boolean isOf(Path file, int fd) throws IOException {
    return Files.readSymbolicLink(Path.of("/proc/self/fd/" + fd)).equals(file);
  }

  private static boolean isOpen(Path file) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      for (Path one : all.toList()) {
        try {
          if (Files.readSymbolicLink(one).equals(file)) {
            return true;
          }
        } catch (IOException e) {
          // It was closed meanwhile.
        }
      }
      return false;
    }
  }

  private static void replace(Path file) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.write("LINE\n".getBytes(UTF_8));
    }
  }

  private String heldLine() {
    try {
      return new String(place.contents().bornAt(log.toString()).getFirst().prefix(), 0, 5, UTF_8);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private TestAgent start() throws IOException {
    return TestAgent.start(
        place.config(),
        place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
        calls(),
        () -> System.nanoTime() + passedNanos.get());
  }

  /** Has the file written to, and closed before it is compared; nothing is opened after that. */
  private void closeUncompared(TestAgent agent) throws Exception {
    assertTrue(agent.agent().drainAndGoOn(Duration.ofMinutes(1)).isComplete());
    isSlow = true;
    replace(slow);
    comparing.await();
    replace(log);
    closeOneForAnother();
  }

  /** Waits until the agent has seen what was done to the log. */
  private void awaitLook() throws Exception {
    long timeNanos = Files.getLastModifiedTime(log).to(TimeUnit.NANOSECONDS);
    TestAgent.await("the agent has looked", () -> seenTimeNanos.get() == timeNanos);
  }

  /** Has the file closed, since another one needs its descriptor. */
  private void closeOneForAnother() throws Exception {
    awaitLook();
    passedNanos.addAndGet(TimeUnit.SECONDS.toNanos(15));
    isFull = true;
    Files.writeString(place.log("other.log"), "other\n");
    TestAgent.await("a file is closed", () -> !isOpen(log));
  }

  @Test
  void oneThatLosesItsNameBeforeItIsComparedCountsAsChangedInPlace() throws Exception {
    Losses.Report losses;
    try (TestAgent agent = start()) {
      closeUncompared(agent);
      Files.delete(log);
      TestAgent.await("its stream ends", this::hasEnded);
      isFull = false;
      isSlow = false;
      losses = agent.drain().losses();
    }
    assertEquals(1, losses.changedFiles());
    assertTrue(streamOfLog().record().orElseThrow().changedInPlace());
  }

  @Test
  void oneThatHasGrownAndLosesItsNameBeforeItIsComparedIsNotCalledComplete() throws Exception {
    try (TestAgent agent = start()) {
      assertTrue(agent.agent().drainAndGoOn(Duration.ofMinutes(1)).isComplete());
      isSlow = true;
      replace(slow);
      comparing.await();
      Files.writeString(log, "line\n", StandardOpenOption.APPEND);
      TestAgent.await("it is delivered", () -> streamOfLog().prefix().length == Files.size(log));
      closeOneForAnother();
      Files.delete(log);
      TestAgent.await("its stream ends", this::hasEnded);
      isFull = false;
      isSlow = false;
      assertEquals(0, agent.drain().losses().changedFiles());
    }
    assertEquals(
        StreamRecord.EndReason.VANISHED,
        streamOfLog().record().flatMap(StreamRecord::end).orElseThrow().reason());
  }

  private boolean hasEnded() throws IOException {
    return streamOfLog().record().flatMap(StreamRecord::end).isPresent();
  }

  private ArchiveContents.StreamContents streamOfLog() throws IOException {
    return place.contents().bornAt(log.toString()).getFirst();
  }

  @Test
  void nothingIsSafeBeforeTheyAreCompared() throws Exception {
    try (TestAgent agent = start()) {
      closeUncompared(agent);
      isFull = false;
      TestAgent.await("there is no problem", () -> agent.agent().status().problems().isEmpty());
      isSlow = false;
      var _ =
          agent
              .agent()
              .goDown(
                  Duration.ofSeconds(6),
                  DrainListener.NONE,
                  () -> whenSafe.set(heldLine()),
                  () -> false);
    }
    assertEquals("LINE\n", whenSafe.get());
  }
}
