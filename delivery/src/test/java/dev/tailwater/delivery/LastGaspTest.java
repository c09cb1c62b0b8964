package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.drain.DrainListener;
import dev.tailwater.delivery.drain.DrainPhase;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is under way when the deadline is near. */
class LastGaspTest {
  private static final Duration DEADLINE = Duration.ofHours(1);
  private static final Duration GASP = Duration.ofSeconds(2);
  private static final Duration NEAR_DEADLINE = DEADLINE.minus(GASP.dividedBy(2));

  private final SwitchedDestination archive = SwitchedDestination.inMemory("archive");
  private final AtomicLong skippedNanos = new AtomicLong();
  private final AtomicBoolean holding = new AtomicBoolean();
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch gasping = new CountDownLatch(1);
  private final CompletableFuture<DrainReport> outcome = new CompletableFuture<>();
  private final Thread draining = Thread.ofPlatform().daemon(true).unstarted(this::goDown);
  private final CompletableFuture<TestAgent> agent = new CompletableFuture<>();
  private volatile Runnable onGasp = () -> {};
  private final CountDownLatch safe = new CountDownLatch(1);
  private Path log;
  private TestAgent.Place place;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    log = place.log("app.log");
    Files.writeString(log, "one\n");
  }

  private long nanos() {
    return System.nanoTime() + skippedNanos.get();
  }

  private void goDown() {
    try {
      DrainListener listener =
          (phase, left) -> {
            if (phase == DrainPhase.LAST_GASP) {
              onGasp.run();
              gasping.countDown();
            }
          };
      outcome.complete(
          agent.get().agent().goDown(DEADLINE, listener, safe::countDown, () -> false).get());
    } catch (Exception e) {
      outcome.completeExceptionally(e);
    }
  }

  /** Holds a reader until the drain waits for something in its last gasp. */
  private void holdOneReader(Method called) throws InterruptedException {
    if (InterceptedCalls.isReadOfAWorker(called) && holding.compareAndSet(true, false)) {
      held.countDown();
      gasping.await();
      while (draining.getState() == Thread.State.RUNNABLE) {
        LockSupport.parkNanos(100_000);
      }
    }
  }

  @Test
  void whatIsBeingReadWhenReadingEndsIsWaitedForAndNotCalledLeftBehind() throws Exception {
    FileCalls calls = InterceptedCalls.of(TestAgent.REAL_CALLS, this::holdOneReader);
    try (TestAgent started = TestAgent.start(place.config(), archive, calls, this::nanos)) {
      agent.complete(started);
      long startNanos = System.nanoTime();
      draining.start();
      safe.await();
      holding.set(true);
      Files.writeString(log, "two\n", StandardOpenOption.APPEND);
      held.await();
      long spentNanos = System.nanoTime() - startNanos;
      skippedNanos.set(DEADLINE.minus(GASP).toNanos() - spentNanos);
      DrainReport report = outcome.get();
      assertEquals(List.of(), report.leftBehind());
      String record = archive.leftBehind().orElseThrow();
      assertTrue(record.contains("\"leftBehindBytes\":0"), record);
    }
  }

  @Test
  void aFileThatGrowsWhileTheRecordIsPutIsNotCalledComplete() throws Exception {
    AtomicBoolean first = new AtomicBoolean(true);
    try (TestAgent started =
        TestAgent.start(place.config(), archive, TestAgent.REAL_CALLS, this::nanos)) {
      archive.onLeftBehind(
          () -> {
            if (first.getAndSet(false)) {
              appendAndAwaitThatItIsSeen(started);
            }
          });
      agent.complete(started);
      draining.start();
      safe.await();
      skippedNanos.set(NEAR_DEADLINE.toNanos());
      DrainReport report = outcome.get();
      String record = archive.leftBehind().orElseThrow();
      assertEquals(4, report.leftBehindBytes(), report.toString());
      assertTrue(record.contains("\"leftBehindBytes\":4"), record);
      assertTrue(record.contains("\"complete\":[]"), record);
    }
  }

  @Test
  void aFileThatGoesOnGrowingIsNotCompleteWhenReadingHasStopped() throws Exception {
    goesOnGrowing(place.config(), _ -> true);
  }

  @Test
  void aFileThatLeftMemoryAndGoesOnGrowingIsNotCompleteWhenReadingHasStopped() throws Exception {
    goesOnGrowing(
        place.config().toBuilder().filesInMemory(0).build(),
        started -> started.agent().filesInMemory() == 0);
  }

  private void goesOnGrowing(AgentConfig config, Predicate<TestAgent> isReady) throws Exception {
    onGasp =
        () -> {
          archive.set(SwitchedDestination.Mode.TAKES_NO_SEGMENTS);
          append("two\n");
        };
    try (TestAgent started = TestAgent.start(config, archive, TestAgent.REAL_CALLS, this::nanos)) {
      TestAgent.await("the file leaves memory", () -> isReady.test(started));
      agent.complete(started);
      draining.start();
      safe.await();
      skippedNanos.set(NEAR_DEADLINE.toNanos());
      DrainReport report = outcome.get();
      assertFalse(report.isComplete(), report.toString());
      assertTrue(report.leftBehind().getFirst().growing(), report.toString());
      assertEquals(4, report.leftBehindBytes());
      String record = archive.leftBehind().orElseThrow();
      assertTrue(record.contains("\"growing\":true"), record);
      assertTrue(record.contains("\"complete\":[]"), record);
    }
  }

  private void append(String text) {
    try {
      Files.writeString(log, text, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void appendAndAwaitThatItIsSeen(TestAgent started) {
    try {
      append("two\n");
      TestAgent.await("it is seen", () -> started.agent().status().progress().atRiskBytes() == 4);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatArrivesAfterTheRecordIsTakenOutOfIt() throws Exception {
    AtomicLong startNanos = new AtomicLong();
    AtomicLong jumpNanos = new AtomicLong(System.nanoTime() + Duration.ofDays(1).toNanos());
    AtomicBoolean slow = new AtomicBoolean();
    CountDownLatch under = new CountDownLatch(1);
    archive.onSegment(
        () -> {
          if (slow.get()) {
            under.countDown();
            while (archive.leftBehind().isEmpty()) {
              LockSupport.parkNanos(1_000_000);
            }
          }
        });
    LongSupplier clock =
        () -> {
          long nanos = System.nanoTime();
          long sinceJumpNanos = nanos - jumpNanos.get();
          // Slow from then on, so that a busy machine has time enough.
          return sinceJumpNanos < 0
              ? nanos
              : startNanos.get() + NEAR_DEADLINE.toNanos() + sinceJumpNanos / 10;
        };
    try (TestAgent started =
        TestAgent.start(place.config(), archive, TestAgent.REAL_CALLS, clock)) {
      agent.complete(started);
      startNanos.set(System.nanoTime());
      draining.start();
      safe.await();
      slow.set(true);
      Files.writeString(log, "two\n", StandardOpenOption.APPEND);
      under.await();
      jumpNanos.set(System.nanoTime());
      DrainReport report = outcome.get();
      assertEquals(List.of(), report.leftBehind());
      String record = archive.leftBehind().orElseThrow();
      assertTrue(record.contains("\"leftBehindBytes\":0"), record);
    }
  }
}
