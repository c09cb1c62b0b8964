package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A drain without a deadline ends when all is delivered, however many descriptors that takes. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SlowSearchTest {
  private static final int OPEN_FILES = 5;

  private final AtomicInteger opened = new AtomicInteger();
  private final List<String> reported = new ArrayList<>();

  @TempDir private Path base;

  private TestAgent.Place writeFiles(int count) throws IOException {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    for (int i = 0; i < count; i++) {
      Files.writeString(place.log("app-" + i + ".log"), "a line of file " + i + "\n");
    }
    return place;
  }

  private DrainReport drain(TestAgent.Place place, FaultPlan plan) throws Exception {
    FileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, plan).calls();
    try (TestAgent agent =
        TestAgent.start(
            place.config(),
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            calls,
            OPEN_FILES)) {
      DrainReport report = agent.agent.drain(Optional.empty());
      agent.problems.forEach(problem -> reported.add(problem.message()));
      return report;
    }
  }

  /** The first that is opened when others were delivered takes longer than anybody waits. */
  private Fault openedSlowly(Call call) {
    return isOpenByTheWatch(call) && opened.incrementAndGet() == OPEN_FILES
        ? new Fault.Delay(5_500)
        : Fault.PROCEED;
  }

  private static boolean isOpenByTheWatch(Call call) {
    return call.method().startsWith("open")
        && Thread.currentThread().getName().equals("watch")
        && call.arguments().stream().anyMatch(name -> name.toString().contains("app-"));
  }

  @Test
  void deliversFilesThatAreOpenedMoreSlowlyThanOthersAreWaitedFor() throws Exception {
    TestAgent.Place place = writeFiles(2 * OPEN_FILES);
    DrainReport report = drain(place, this::openedSlowly);
    assertTrue(report.isComplete(), report.toString());
    assertEquals(2 * OPEN_FILES, place.contents().streams().size());
    // Not that memory is short.
    assertTrue(
        reported.stream().anyMatch(s -> s.startsWith("only 4 files may be open at a time")),
        reported.toString());
  }

  /** What was written while no agent ran is not known to be delivered before its file was seen. */
  @Test
  void saysThatNotEveryFileWasLookedAtWhileTheFirstLookGoesOn() throws Exception {
    TestAgent.Place place = writeFiles(2);
    CountDownLatch opens = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    FaultPlan plan =
        call -> {
          if (isOpenByTheWatch(call)) {
            opens.countDown();
            awaitQuietly(asked);
          }
          return Fault.PROCEED;
        };
    FileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, plan).calls();
    try (TestAgent agent = TestAgent.start(place, place.config(), calls)) {
      try {
        opens.await();
        assertTrue(isSearching(agent));
      } finally {
        asked.countDown();
      }
      TestAgent.await("every file was looked at", () -> !isSearching(agent));
    }
  }

  private static boolean isSearching(TestAgent agent) {
    return agent.agent().status().running().orElseThrow().watching().searching();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isReadOfAWorker(Call call) {
    return call.method().startsWith("pread")
        && Thread.currentThread().getName().startsWith("seal-");
  }

  private static Path fileOf(Call call) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd/" + call.arguments().getFirst()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void deliversAllOthersThoughTheFileThatIsReadFirstCannotBeRead() throws Exception {
    int count = 20 * OPEN_FILES;
    TestAgent.Place place = writeFiles(count);
    AtomicReference<Path> first = new AtomicReference<>();
    DrainReport report =
        drain(
            place,
            call -> {
              if (!isReadOfAWorker(call)) {
                return Fault.PROCEED;
              }
              Path read = fileOf(call);
              first.compareAndSet(null, read);
              return read.equals(first.get()) ? new Fault.Fail(Errno.EIO) : Fault.PROCEED;
            });
    assertFalse(report.isComplete());
    assertEquals(
        List.of(String.valueOf(first.get())),
        report.leftBehind().stream().map(left -> left.path().toString()).toList());
    assertEquals(count - 1, place.contents().streams().size());
  }

  @Test
  void saysThatFilesWereNotSeenWhereUnreadableOnesHoldAllDescriptors() throws Exception {
    TestAgent.Place place = writeFiles(4 * OPEN_FILES);
    DrainReport report =
        drain(place, call -> isReadOfAWorker(call) ? new Fault.Fail(Errno.EIO) : Fault.PROCEED);
    assertFalse(report.isComplete());
    List<String> said = report.problems().stream().map(Problem::message).toList();
    assertTrue(
        said.stream().anyMatch(s -> s.startsWith("not every file could be looked at;")),
        said.toString());
  }
}
