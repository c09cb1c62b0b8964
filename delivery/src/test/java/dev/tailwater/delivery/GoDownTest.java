package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.SwitchedDestination.Mode;
import dev.tailwater.delivery.drain.DrainListener;
import dev.tailwater.delivery.drain.DrainPhase;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of an agent whose machine goes away, or seems to. */
class GoDownTest {
  private static final Duration LATER = Duration.ofHours(1);

  private final SwitchedDestination archive = SwitchedDestination.inMemory("archive");
  private final List<DrainPhase> phases = Collections.synchronizedList(new ArrayList<>());
  private final DrainListener noting = (phase, left) -> phases.add(phase);
  private final AtomicBoolean withdrawn = new AtomicBoolean();
  private final AtomicInteger timesSafe = new AtomicInteger();
  private TestAgent.Place place;
  private Path log;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    log = place.log("app.log");
    Files.writeString(log, "one\n");
  }

  private TestAgent start() throws Exception {
    return TestAgent.start(
        place.config().toBuilder().maxAge(LATER).build(), archive, TestAgent.REAL_CALLS);
  }

  private void append(String text) throws IOException {
    Files.writeString(log, text, StandardOpenOption.APPEND);
  }

  private CompletableFuture<Optional<DrainReport>> goDown(TestAgent agent, Duration deadline) {
    CompletableFuture<Optional<DrainReport>> outcome = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon(true)
        .start(
            () -> {
              try {
                outcome.complete(
                    agent
                        .agent()
                        .goDown(deadline, noting, timesSafe::incrementAndGet, withdrawn::get));
              } catch (InterruptedException | RuntimeException e) {
                outcome.completeExceptionally(e);
              }
            });
    return outcome;
  }

  private void awaitSafe() throws Exception {
    TestAgent.await("nothing is at risk", () -> timesSafe.get() > 0);
  }

  private void appendUnchecked(String text) {
    try {
      append(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Thread drainingThread(TestAgent agent) {
    return Thread.ofPlatform()
        .daemon(true)
        .unstarted(
            () -> {
              try {
                agent.drain();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private static void awaitUnchecked(String what, BooleanSupplier condition) {
    try {
      TestAgent.await(what, condition::getAsBoolean);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean waitsForDeliveries(Thread draining) {
    return Arrays.stream(draining.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("deliverWhatWasSeen"));
  }

  private String held() throws Exception {
    return new String(archive.contents().bornAt(log.toString()).getFirst().prefix(), UTF_8);
  }

  private void assertHolds(String expected) throws Exception {
    assertEquals(expected, held());
  }

  @Test
  void deliversWhatIsWrittenMeanwhileAndTellsThatNothingIsLeft() throws Exception {
    try (TestAgent agent = start()) {
      CompletableFuture<Optional<DrainReport>> outcome = goDown(agent, Duration.ofSeconds(10));
      awaitSafe();
      append("two\n");
      agent.awaitDelivered(log);
      DrainReport report = outcome.get().orElseThrow();
      assertTrue(report.isComplete(), report.toString());
      assertEquals(8, report.totals().deliveredBytes());
    }
    assertHolds("one\ntwo\n");
    assertEquals(List.of(DrainPhase.HURRY, DrainPhase.LAST_GASP), phases);
    assertEquals(1, timesSafe.get());
    String record = archive.leftBehind().orElseThrow();
    assertTrue(record.contains("\"leftBehindBytes\":0"), record);
    assertTrue(record.contains("\"streams\":[]"), record);
  }

  @Test
  void listenersThatFailStopNoDrain() throws Exception {
    DrainListener failing =
        (phase, left) -> {
          throw new IllegalStateException("the listener says " + phase);
        };
    Runnable safe =
        () -> {
          withdrawn.set(true);
          throw new IllegalStateException("the listener says SAFE");
        };
    try (TestAgent agent = start()) {
      assertEquals(Optional.empty(), agent.agent().goDown(LATER, failing, safe, withdrawn::get));
      assertFalse(agent.agent().status().draining());
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report::toString);
      assertTrue(report.otherProblems().toString().contains("says STEADY"), report::toString);
      assertTrue(
          agent.problems.stream().anyMatch(problem -> problem.message().contains("says SAFE")));
    }
  }

  @Test
  void goesOnSteadilyWhenTheNoticeIsWithdrawn() throws Exception {
    try (TestAgent agent = start()) {
      CompletableFuture<Optional<DrainReport>> outcome = goDown(agent, LATER);
      awaitSafe();
      assertTrue(agent.agent().status().draining());
      withdrawn.set(true);
      assertEquals(Optional.empty(), outcome.get());
      assertEquals(List.of(DrainPhase.HURRY, DrainPhase.STEADY), phases);
      assertEquals(Optional.empty(), archive.leftBehind());
      append("two\n");
      TestAgent.await("it is seen", () -> agent.agent().status().progress().atRiskBytes() == 4);
      assertTrue(agent.drain().isComplete());
    }
    assertHolds("one\ntwo\n");
  }

  @Test
  void aSignalEndsItAsSoonAsNothingIsAtRisk() throws Exception {
    try (TestAgent agent = start()) {
      CompletableFuture<Optional<DrainReport>> outcome = goDown(agent, LATER);
      awaitSafe();
      append("two\n");
      DrainReport joined = agent.drain();
      assertTrue(joined.isComplete(), joined.toString());
      assertEquals(joined, outcome.get().orElseThrow());
    }
    assertHolds("one\ntwo\n");
    assertTrue(archive.leftBehind().isPresent());
  }

  @Test
  void aSignalWhenItIsOverGetsItsReportAndTellsTheDestinationNothingNew() throws Exception {
    try (TestAgent agent = start()) {
      DrainReport report = goDown(agent, Duration.ofSeconds(2)).get().orElseThrow();
      Optional<String> record = archive.leftBehind();
      assertEquals(report, agent.drain());
      assertEquals(record, archive.leftBehind());
    }
  }

  @Test
  void deliversWhatWasWrittenBetweenTheLastLookAndASignal() throws Exception {
    try (TestAgent agent = start()) {
      Thread signal = drainingThread(agent);
      assertTrue(agent.agent().drainAndGoOn(Duration.ofMinutes(1)).isComplete());
      // Called after a look that has found nothing more, and before the drain goes on.
      Runnable writingAndSignalling =
          () -> {
            if (signal.getState() == Thread.State.NEW) {
              appendUnchecked("two\n");
              signal.start();
              awaitUnchecked("it joins", () -> signal.getState() == Thread.State.WAITING);
            }
          };
      DrainReport report =
          agent.agent().goDown(LATER, noting, writingAndSignalling, withdrawn::get).orElseThrow();
      assertEquals(4, report.totals().deliveredBytes());
      signal.join();
    }
    assertHolds("one\ntwo\n");
  }

  @Test
  void aSignalDuringANoticeDoesNotGiveUpAFileThatGrows() throws Exception {
    AtomicBoolean signalled = new AtomicBoolean();
    AtomicInteger lines = new AtomicInteger();
    FaultPlan growing =
        call -> {
          boolean looks =
              call.method().equals("nextEntries")
                  && Thread.currentThread().getName().equals("watch")
                  && signalled.get();
          if (looks && lines.get() < 6) {
            appendUnchecked("line " + lines.incrementAndGet() + "\n");
          }
          return Fault.PROCEED;
        };
    FileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, growing).calls();
    // So that each look finds that what was written during it is not delivered yet.
    Thread draining = Thread.currentThread();
    archive.onSegment(() -> awaitUnchecked("it waits", () -> waitsForDeliveries(draining)));
    try (TestAgent agent =
        TestAgent.start(place.config().toBuilder().maxAge(LATER).build(), archive, calls)) {
      Thread signal = drainingThread(agent);
      Runnable signalling =
          () -> {
            signal.start();
            awaitUnchecked("it joins", () -> signal.getState() == Thread.State.WAITING);
            signalled.set(true);
          };
      DrainReport report =
          agent.agent().goDown(LATER, noting, signalling, withdrawn::get).orElseThrow();
      assertEquals(List.of(), report.leftBehind());
      assertEquals(6, lines.get());
      signal.join();
    }
    assertHolds(Files.readString(log));
  }

  @Test
  void listsWhatIsLeftWhenTheDestinationTakesNothing() throws Exception {
    archive.set(Mode.TAKES_NO_SEGMENTS);
    try (TestAgent agent = start()) {
      agent.agent().awaitFirstScan();
      DrainReport report = goDown(agent, Duration.ofSeconds(2)).get().orElseThrow();
      assertEquals(4, report.leftBehindBytes());
      assertEquals(0, timesSafe.get());
    }
    String record = archive.leftBehind().orElseThrow();
    assertTrue(record.contains("\"leftBehindBytes\":4"), record);
    assertTrue(record.contains(log.toString()), record);
  }

  @Test
  void isNotSafeBeforeBytesThatWereReplacedAreDelivered() throws Exception {
    Files.writeString(log, "line\n".repeat(40_000));
    try (TestAgent agent = start()) {
      assertTrue(agent.agent().drainAndGoOn(Duration.ofMinutes(1)).isComplete());
      AtomicInteger timesSafeBefore = new AtomicInteger(-1);
      archive.onSegment(
          () -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
            timesSafeBefore.compareAndSet(-1, timesSafe.get());
          });
      Files.writeString(log, "two\n", StandardOpenOption.WRITE);
      DrainReport report = goDown(agent, Duration.ofSeconds(3)).get().orElseThrow();
      assertTrue(report.isComplete(), report::toString);
      assertEquals(0, timesSafeBefore.get());
      assertEquals(1, timesSafe.get());
    }
  }

  @Test
  void theDeadlineOfASignalCountsFromTheSignalAlsoWhenTheNoticeIsWithdrawn() throws Exception {
    archive.set(Mode.TAKES_NO_SEGMENTS);
    AtomicLong skippedNanos = new AtomicLong();
    try (TestAgent agent =
        TestAgent.start(
            place.config(),
            archive,
            TestAgent.REAL_CALLS,
            () -> System.nanoTime() + skippedNanos.get())) {
      CompletableFuture<DrainReport> signal = new CompletableFuture<>();
      Thread signalling =
          Thread.ofPlatform()
              .daemon(true)
              .unstarted(
                  () -> {
                    try {
                      signal.complete(agent.agent().drain(Optional.of(LATER)));
                    } catch (InterruptedException | RuntimeException e) {
                      signal.completeExceptionally(e);
                    }
                  });
      AtomicBoolean joined = new AtomicBoolean();
      BooleanSupplier withdrawnLate =
          () -> {
            if (!joined.getAndSet(true)) {
              signalling.start();
              awaitUnchecked("it joins", () -> signalling.getState() == Thread.State.WAITING);
              skippedNanos.set(LATER.toNanos());
            }
            return true;
          };
      assertEquals(
          Optional.empty(),
          agent
              .agent()
              .goDown(LATER.multipliedBy(2), noting, timesSafe::incrementAndGet, withdrawnLate));
      DrainReport report = signal.get(20, TimeUnit.SECONDS); // Else it would take an hour.
      assertFalse(report.deadlineMet());
      assertEquals(4, report.leftBehindBytes());
    }
  }
}
