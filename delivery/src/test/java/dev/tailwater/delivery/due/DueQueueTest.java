package dev.tailwater.delivery.due;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.pack.FactQueue;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.tempo.Tempo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DueQueueTest {
  private static final long NOW_NANOS = 1_000_000_000L;

  private long nowNanos = NOW_NANOS;
  private final DuePolicy policy = new DuePolicy(TimeUnit.MINUTES.toNanos(10), 1 << 20);
  private final Tempo tempo = new Tempo();
  private final DueQueue queue =
      new DueQueue(
          policy,
          new Claimants(List.of()),
          () -> nowNanos,
          () -> 0,
          tempo,
          new FactQueue(() -> nowNanos));
  private Tail bad;
  private Tail good;

  @BeforeEach
  void openTails(@TempDir Path base) throws Exception {
    bad = tail(base.toRealPath().resolve("bad.log"));
    good = tail(base.toRealPath().resolve("good.log"));
  }

  @AfterEach
  void closeTails() throws Exception {
    bad.file().giveUpDescriptor();
    good.file().giveUpDescriptor();
  }

  private static Tail tail(Path file) throws Exception {
    Files.writeString(file, "unread\n");
    Tail tail = TestTails.open(file);
    TailLook.refresh(tail, NOW_NANOS, 0);
    return tail;
  }

  private Tail claim() {
    return assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> queue.claim().orElseThrow().tail().orElseThrow());
  }

  @Test
  void inAHurryAFileThatCannotBeReadNowDoesNotStandBeforeTheOthers() {
    tempo.lease(Tempo.Mode.HURRY);
    bad.scheduling().defer(NOW_NANOS + TimeUnit.SECONDS.toNanos(2));
    queue.schedule(bad);
    queue.schedule(good);
    assertSame(good, claim());
  }

  @Test
  void inAHurryAFileIsTriedAgainAtItsTimeAndNotAtItsAge() {
    tempo.lease(Tempo.Mode.HURRY);
    bad.scheduling().defer(NOW_NANOS - 1);
    queue.schedule(bad);
    assertSame(bad, claim());
  }

  @Test
  void theEndOfOneDrainLeavesAnotherInItsHurry() {
    tempo.lease(Tempo.Mode.HURRY);
    tempo.lease(Tempo.Mode.HURRY).close();
    queue.schedule(good);
    assertSame(good, claim());
  }

  @Test
  void aQueueThatExpectsTailsIsNotTakenForEmpty() {
    assertTrue(queue.isEmpty());
    queue.expectTails(true);
    assertFalse(queue.isEmpty());
    assertFalse(queue.hasOnlyDeferred());
    queue.schedule(good);
    queue.expectTails(false);
    assertFalse(queue.isEmpty());
  }

  @Test
  void aTailIsDueAtAQuarterOfItsAgeWhenANoticeIsExpected() {
    queue.schedule(good);
    queue.expectNotice(true);
    nowNanos += TimeUnit.SECONDS.toNanos(149);
    assertEquals(TimeUnit.SECONDS.toNanos(1), dueInNanos());
    nowNanos += TimeUnit.SECONDS.toNanos(1);
    assertSame(good, claim());
  }

  @Test
  void allIsAsBeforeWhenNoNoticeIsExpectedAnyMore() {
    queue.schedule(good);
    queue.expectNotice(true);
    queue.expectNotice(false);
    assertEquals(TimeUnit.MINUTES.toNanos(10), dueInNanos());
  }

  private long dueInNanos() {
    return policy.dueNanos(good, nowNanos).orElseThrow() - nowNanos;
  }

  @Test
  void inAHurryTheTailWithMoreToBringToSafetyComesFirst() throws Exception {
    Path longer = Path.of(good.name().toString());
    Files.writeString(longer, "unread\n".repeat(100_000));
    tempo.lease(Tempo.Mode.HURRY);
    queue.schedule(bad);
    TailLook.refresh(good, NOW_NANOS, 0);
    queue.schedule(good);
    assertSame(good, claim());
    assertSame(bad, claim());
  }

  @Test
  void countsWhatIsUnreadWhileItWaitsAndWhileItIsRead() throws Exception {
    queue.schedule(bad);
    queue.schedule(good);
    assertEquals(14, queue.unreadBytes());
    Files.writeString(Path.of(good.name().toString()), "unread\nmore\n");
    TailLook.refresh(good, NOW_NANOS, 0);
    queue.schedule(good);
    assertEquals(19, queue.unreadBytes());
    tempo.lease(Tempo.Mode.HURRY);
    claim();
    assertEquals(19, queue.unreadBytes());
  }

  @Test
  void aWorkerThatWaitsTakesATailThatIsDueBeforeTheFirst() throws Exception {
    queue.schedule(bad);
    FutureTask<Tail> claim = startToClaim();
    grow(good);
    queue.schedule(good);
    assertSame(good, claim.get(20, TimeUnit.SECONDS));
  }

  @Test
  void aWorkerThatWaitsTakesTheFirstTailAsSoonAsItIsFull() throws Exception {
    queue.schedule(bad);
    queue.schedule(good);
    FutureTask<Tail> claim = startToClaim();
    grow(bad);
    queue.schedule(bad);
    assertSame(bad, claim.get(20, TimeUnit.SECONDS));
  }

  @Test
  void aWorkerThatWaitsTakesWhateverThereIsInAHurry() throws Exception {
    queue.schedule(bad);
    FutureTask<Tail> claim = startToClaim();
    try (Tempo.Lease hurry = tempo.lease(EnumSet.of(Tempo.Mode.HURRY))) {
      Objects.requireNonNull(hurry);
      assertSame(bad, claim.get(20, TimeUnit.SECONDS));
      FutureTask<Tail> next = startToClaim();
      queue.schedule(good);
      assertSame(good, next.get(20, TimeUnit.SECONDS));
    }
  }

  /** Starts a worker that finds nothing due, and sleeps. */
  private FutureTask<Tail> startToClaim() {
    FutureTask<Tail> claim =
        new FutureTask<>(() -> queue.claim().orElseThrow().tail().orElseThrow());
    Thread worker = Thread.ofPlatform().daemon(true).start(claim);
    while (worker.getState() != Thread.State.TIMED_WAITING
        && worker.getState() != Thread.State.WAITING
        && !claim.isDone()) {
      Thread.onSpinWait();
    }
    return claim;
  }

  /** Makes a tail due at once. */
  private static void grow(Tail tail) throws Exception {
    TestTails.grow(tail, 2 << 20);
    TailLook.refresh(tail, NOW_NANOS, 0);
  }
}
