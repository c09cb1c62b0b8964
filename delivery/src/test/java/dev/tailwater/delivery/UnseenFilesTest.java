package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.delivery.drain.DrainListener;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of what nobody could look at, nobody says that it is safe. */
class UnseenFilesTest {
  private final SwitchedDestination archive = SwitchedDestination.inMemory("archive");
  private final AtomicBoolean trouble = new AtomicBoolean();
  private TestAgent.Place place;
  private Path log;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    log = place.log("app.log");
    Files.writeString(log, "one\n");
  }

  private TestAgent start(FileCalls calls) throws Exception {
    return TestAgent.start(place.config(), archive, calls);
  }

  private void append(String text) throws Exception {
    Files.writeString(log, text, StandardOpenOption.APPEND);
  }

  /** Makes every call of the watch wait, as with a file server that does not answer for a while. */
  private Fault hanging(Call call) {
    boolean hangs = trouble.get() && Thread.currentThread().getName().equals("watch");
    return hangs ? new Fault.Delay(2_000) : Fault.PROCEED;
  }

  private Fault refusing(Call call) {
    boolean refused =
        trouble.get()
            && call.method().startsWith("open")
            && call.arguments().contains(PosixPath.of(log.getFileName()));
    return refused ? new Fault.Fail(Errno.EACCES) : Fault.PROCEED;
  }

  @Test
  void aDrainThatCouldNotLookAtEveryFileIsNotCompleteAndTheNextOneIs() throws Exception {
    FileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, this::hanging).calls();
    try (TestAgent agent = start(calls)) {
      agent.awaitDelivered(log);
      trouble.set(true);
      append("two\n");
      DrainReport blind = agent.agent().drainAndGoOn(Duration.ofMillis(500));
      trouble.set(false);
      assertFalse(blind.isComplete());
      assertTrue(
          blind.problems().stream()
              .anyMatch(p -> p.message().startsWith("not every file could be looked at")),
          blind.toString());
      DrainReport next = agent.agent().drainAndGoOn(Duration.ofSeconds(20));
      assertTrue(next.isComplete(), next.toString());
    }
  }

  @Test
  void theArchiveIsToldThatNotEveryFileWasLookedAt() throws Exception {
    FileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, this::hanging).calls();
    try (TestAgent agent = start(calls)) {
      agent.awaitDelivered(log);
      trouble.set(true);
      append("two\n");
      assertFalse(agent.agent().drain(Optional.of(Duration.ofMillis(500))).isComplete());
      trouble.set(false);
    }
    List<String> told = recordedProblems();
    assertEquals(1, told.size(), told.toString());
    assertTrue(told.getFirst().startsWith("not every file could be looked at"), told.toString());
  }

  @Test
  void nothingIsCalledSafeWhileAFileCannotBeOpened() throws Exception {
    FileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, this::refusing).calls();
    AtomicInteger timesSafe = new AtomicInteger();
    trouble.set(true);
    try (TestAgent agent = start(calls)) {
      TestAgent.await("the file is a problem", () -> !agent.agent().status().problems().isEmpty());
      DrainReport report =
          agent
              .agent()
              .goDown(
                  Duration.ofSeconds(3),
                  DrainListener.NONE,
                  timesSafe::incrementAndGet,
                  () -> false)
              .orElseThrow();
      assertFalse(report.isComplete());
      assertEquals(0, timesSafe.get());
    }
    assertEquals(List.of("open " + log + ": EACCES (Permission denied)"), recordedProblems());
  }

  private List<String> recordedProblems() throws Exception {
    try (InputStream record =
        archive.read(ArchiveNames.lastDrain(TestAgent.NAME), 0, Long.MAX_VALUE)) {
      return LastDrain.fromJson(record.readAllBytes(), TestAgent.NAME).problems().first();
    }
  }

  @Test
  void aDrainWithoutTimeToCompareAFileThatWasWrittenAnewIsNotCompleteAndTheNextOneIs()
      throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch goingOn = new CountDownLatch(1);
    FileCalls calls =
        InterceptedCalls.of(
            TestAgent.REAL_CALLS,
            called -> {
              if (trouble.get() && InterceptedCalls.isReadOfAWorker(called)) {
                held.countDown();
                goingOn.await();
              }
            });
    try (TestAgent agent = start(calls)) {
      agent.awaitDelivered(log);
      trouble.set(true);
      Files.writeString(log, "two\n", StandardOpenOption.WRITE); // No size but the old one is seen.
      held.await();
      DrainReport hasty = agent.agent().drainAndGoOn(Duration.ofSeconds(1));
      goingOn.countDown();
      assertFalse(hasty.isComplete(), hasty.toString());
      DrainReport next = agent.agent().drainAndGoOn(Duration.ofSeconds(20));
      assertTrue(next.isComplete(), next.toString());
      assertEquals(4, next.totals().deliveredBytes());
    } finally {
      goingOn.countDown();
    }
  }
}
