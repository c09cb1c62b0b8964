package dev.tailwater.delivery.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.compare.ComparisonQueue.Claim;
import dev.tailwater.delivery.compare.ComparisonQueue.Task;
import dev.tailwater.delivery.due.TestTails;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonQueueTest {
  private static final int FILES = 300;
  private static final long LONG_BYTES = 1 << 20;

  private final List<Tail> tails = new ArrayList<>();
  private final Tempo tempo = new Tempo();
  private final AtomicInteger asked = new AtomicInteger();
  private long nanos = 77;
  private final ComparisonQueue queue =
      new ComparisonQueue(
          tempo,
          () -> {
            asked.incrementAndGet();
            return nanos;
          });

  @BeforeEach
  void openTails(@TempDir Path base) throws Exception {
    for (int i = 0; i < FILES; i++) {
      Path file = Files.writeString(base.toRealPath().resolve("file-" + i), "text\n");
      tails.add(TestTails.open(file, LinuxFileCalls.create(), queue));
    }
  }

  @AfterEach
  void closeTails() throws Exception {
    for (Tail tail : tails) {
      tail.file().giveUpDescriptor();
    }
  }

  private Claim take() {
    return assertTimeoutPreemptively(Duration.ofSeconds(20), () -> queue.take().orElseThrow());
  }

  @Test
  void whatSomebodyWaitsForComesFirstAndWhatOnlyGrewLast() {
    tempo.lease(Tempo.Mode.HURRY);
    grown(tails.get(0));
    queue.changed(tails.get(1));
    queue.want(tails.get(2));
    assertSame(tails.get(2), take().tail());
    assertSame(tails.get(1), take().tail());
    assertSame(tails.get(0), take().tail());
  }

  @Test
  void aShortFileMayLeaveMemoryHoweverLongItTookToCompareOnABusyMachine() {
    Tail tail = tails.get(0);
    queue.done(tail, TimeUnit.SECONDS.toNanos(1), 5, false);
    assertFalse(queue.needs(tail));
  }

  @Test
  void whatComparingCostIsForgottenWhenTheTailEnds() {
    Tail tail = tails.get(0);
    tail.resumeAt(LONG_BYTES, Marker.NONE);
    queue.done(tail, TimeUnit.SECONDS.toNanos(1), LONG_BYTES, false);
    assertTrue(queue.needs(tail));
    tail.end();
    queue.ended(tail);
    assertFalse(queue.needs(tail));
    queue.done(tail, TimeUnit.SECONDS.toNanos(1), 5, true); // It was compared meanwhile.
    assertFalse(queue.needs(tail));
  }

  @Test
  void aFileThatIsWrittenToWithoutGrowingIsComparedAfterASecond() {
    grown(tails.get(0));
    rewritten(tails.get(1));
    nanos += TimeUnit.SECONDS.toNanos(1);
    assertEquals(new Claim(tails.get(1), Task.COMPARE, false), take());
    nanos += TimeUnit.SECONDS.toNanos(10);
    assertSame(tails.get(0), take().tail());
  }

  /** Whoever asks does so a moment after a look, and a comparison may end in that moment. */
  @Test
  void aFileThatIsComparedWhileThatIsAskedForMayLeaveMemory() {
    grown(tails.get(0));
    compared(tails.get(0));
    rewritten(tails.get(1));
    nanos += TimeUnit.SECONDS.toNanos(1);
    assertSame(tails.get(1), take().tail());
    grown(tails.get(2));
    nanos += TimeUnit.SECONDS.toNanos(10);
    assertSame(tails.get(2), take().tail());
    assertFalse(queue.needs(tails.get(0)));
  }

  /** As an agent asks for it at each look, also while the file is being compared. */
  @Test
  void whatIsToBeComparedAgainLaterIsSoWhereAComparisonWasAskedForMeanwhile() {
    Tail before = askedForWhileCompared(tails.get(0), true);
    Tail unseen = askedForWhileCompared(tails.get(1), false);
    queue.mayBeWrittenUnseen(unseen);
    Tail afterwards = tails.get(2);
    grown(afterwards);
    queue.want(afterwards);
    assertSame(afterwards, take().tail());
    compared(afterwards);
    queue.done(afterwards, 0, 5, true);
    queue.grown(afterwards); // Decided before the comparison was over.
    nanos++;
    grown(tails.get(3)); // Is looked at after those.
    nanos += TimeUnit.SECONDS.toNanos(10);
    assertSame(tails.get(3), take().tail());
    nanos += TimeUnit.SECONDS.toNanos(3);
    assertSame(unseen, take().tail());
    nanos += TimeUnit.SECONDS.toNanos(40);
    Set<Tail> late = new HashSet<>(List.of(take().tail(), take().tail()));
    assertEquals(Set.of(before, afterwards), late);
  }

  @Test
  void whatIsToBeComparedAgainLaterIsSoAfterADrainThatDidNotWaitForIt() {
    Tail tail = askedForWhileCompared(tails.get(0), true);
    Tempo.Lease drain = tempo.lease(Tempo.Mode.HURRY);
    grown(tails.get(1));
    assertSame(tails.get(1), take().tail());
    drain.close();
    nanos += TimeUnit.SECONDS.toNanos(40);
    assertSame(tail, take().tail());
  }

  private Tail askedForWhileCompared(Tail tail, boolean again) {
    grown(tail);
    queue.want(tail);
    assertSame(tail, take().tail());
    queue.grown(tail);
    compared(tail);
    queue.done(tail, 0, 5, again);
    return tail;
  }

  @Test
  void aFileThatMayBeWrittenToUnseenIsComparedAgainWhenItsTimeHasPassed() {
    Tail tail = tails.get(0);
    queue.done(tail, 0, 5, true);
    queue.mayBeWrittenUnseen(tail);
    assertTrue(queue.needs(tail));
    nanos += TimeUnit.MILLISECONDS.toNanos(2_500);
    assertEquals(new Claim(tail, Task.COMPARE, false), take());
    queue.done(tail, 0, 5, false);
    nanos += TimeUnit.SECONDS.toNanos(40);
    assertSame(tail, take().tail(), "and again when its pages are written back");
  }

  @Test
  void aFileWhoseTimeIsUntoldIsLookedAtWhenItMayBeToldAndIsNotKeptInMemoryForThat()
      throws Exception {
    Tail tail = tails.get(0);
    delivered(tail);
    tail.stream().statesTime(1, 1);
    tail.tellTime(nanos, false);
    assertTrue(tail.stream().isTimeTold());
    tail.stream().statesTime(2, tail.stream().tellableMillis(2));
    tail.tellTime(nanos, false);
    assertFalse(tail.stream().isTimeTold(), "it was told of one just before");
    queue.untold(tail);
    assertFalse(queue.needs(tail));
    nanos += TimeUnit.SECONDS.toNanos(30);
    assertEquals(new Claim(tail, Task.LOOK, false), take());
  }

  private static void delivered(Tail tail) throws Exception {
    var _ = TailLook.refresh(tail, 0, 0);
    read(tail);
    compared(tail);
  }

  private static void read(Tail tail) {
    BlockRun run = new BlockRun(0);
    run.addZeros(5);
    tail.advance(5, Marker.NONE, run, false, 0);
    tail.stream().acknowledge(new ByteRange(0, 5), Marker.NONE);
  }

  private static void compared(Tail tail) {
    tail.compared(tail.stream(), tail.changes(), false, _ -> {});
  }

  private static void uncompared(Tail tail) {
    if (tail.positionBytes() == 0) {
      read(tail);
    }
    tail.uncompared();
  }

  private void grown(Tail tail) {
    uncompared(tail);
    queue.grown(tail);
  }

  private void rewritten(Tail tail) {
    tail.stream().changedInPlace(true);
    queue.changed(tail);
  }

  @Test
  void aFileThatIsWrittenToWithoutGrowingIsSoonLookedAtAgainAndOnce() {
    rewritten(tails.get(0));
    nanos += TimeUnit.MILLISECONDS.toNanos(5);
    assertEquals(new Claim(tails.get(0), Task.LOOK, false), take());
    nanos += TimeUnit.SECONDS.toNanos(1);
    assertEquals(new Claim(tails.get(0), Task.COMPARE, false), take());
  }

  @Test
  void anAppendThatWasMetHalfwayHasNothingComparedBeforeTheFileIsQuiet() {
    uncompared(tails.get(0));
    queue.changed(tails.get(0)); // Nothing is suspected any more: it has grown since.
    nanos += TimeUnit.SECONDS.toNanos(9);
    rewritten(tails.get(1));
    nanos += TimeUnit.SECONDS.toNanos(1);
    assertSame(tails.get(1), take().tail());
    assertSame(tails.get(0), take().tail(), "it is quiet for ten seconds now");
  }

  @Test
  void restsNoLongerThanUntilADrainBeginsOrTheAgentEnds() throws Exception {
    ComparisonQueue other = new ComparisonQueue(new Tempo(), () -> nanos);
    Thread resting = rest(queue);
    Thread restingToo = rest(other);
    Tempo.Lease drain = tempo.lease(Tempo.Mode.HURRY);
    other.close();
    assertTrue(resting.join(Duration.ofSeconds(20)), "the drain waits for a rest");
    assertTrue(restingToo.join(Duration.ofSeconds(20)), "the end waits for a rest");
    drain.close();
  }

  private static Thread rest(ComparisonQueue queue) {
    return Thread.ofVirtual()
        .start(
            () -> {
              try {
                queue.rest(TimeUnit.HOURS.toNanos(1));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  @Test
  void everyFileIsComparedOnceInAHurryWhateverTheirNumber() {
    tempo.lease(Tempo.Mode.HURRY);
    tails.forEach(this::grown);
    asked.set(0);
    Set<Tail> taken = new HashSet<>();
    for (int i = 0; i < FILES; i++) {
      taken.add(take().tail());
    }
    assertEquals(FILES, taken.size());
    assertEquals(0, asked.get(), "each look at a file that waits would ask for the time");
  }

  @Test
  void whoWaitsGetsNoComparisonOfAPart() throws Exception {
    tempo.lease(Tempo.Mode.HURRY);
    Tail underWay = tails.get(0);
    underWay.advance(5, Marker.NONE, new BlockRun(0), false, 0);
    grown(underWay);
    grown(tails.get(1));
    assertSame(tails.get(1), take().tail());
    underWay.stream().acknowledge(new ByteRange(0, 5), Marker.NONE);
    nanos += TimeUnit.SECONDS.toNanos(1);
    assertSame(underWay, take().tail());
  }

  @Test
  void aDrainGetsThePartThatItWaitsForAndOnce() throws Exception {
    Tempo.Lease drain = tempo.lease(Tempo.Mode.HURRY);
    Tail growing = tails.get(0);
    growing.advance(5, Marker.NONE, new BlockRun(0), false, 0);
    growing.stream().acknowledge(new ByteRange(0, 4), Marker.NONE);
    queue.awaited(growing, 4);
    grown(growing);
    assertSame(growing, take().tail());
    queue.done(growing, 0, 4, false);
    queue.again(growing);
    grown(growing);
    grown(tails.get(1));
    assertSame(tails.get(1), take().tail());
    drain.close();
    queue.awaited(growing, 4); // That drain is over.
    tempo.lease(Tempo.Mode.HURRY);
    grown(growing);
    grown(tails.get(2));
    assertSame(tails.get(2), take().tail());
  }

  @Test
  void aFileThatHasOnlyGrownRestsInAHurryUnlessADrainWaitsForIt() {
    tempo.lease(Tempo.Mode.HURRY);
    Tail growing = tails.get(0);
    queue.done(growing, TimeUnit.SECONDS.toNanos(1), LONG_BYTES, false);
    grown(growing);
    grown(tails.get(1));
    assertSame(tails.get(1), take().tail());
    nanos += TimeUnit.SECONDS.toNanos(1);
    grown(tails.get(2));
    assertSame(tails.get(2), take().tail());
    queue.awaited(growing, Long.MAX_VALUE);
    nanos += TimeUnit.SECONDS.toNanos(1);
    assertSame(growing, take().tail());
    queue.done(growing, TimeUnit.SECONDS.toNanos(1), LONG_BYTES, false);
    grown(growing);
    nanos += TimeUnit.SECONDS.toNanos(20);
    assertSame(growing, take().tail());
  }

  @Test
  void whatFailedIsTriedAgainLater() {
    tempo.lease(Tempo.Mode.HURRY);
    queue.again(tails.get(0));
    grown(tails.get(1));
    assertSame(tails.get(1), take().tail());
    nanos += TimeUnit.SECONDS.toNanos(1);
    assertSame(tails.get(0), take().tail());
  }

  /** What was found in the part may be stored to, too. */
  @Test
  void aPartThatDifferedIsComparedAgainSoonAndOnceMoreWhenPagesAreWrittenBack() {
    Tail tail = tails.get(0);
    queue.done(tail, 0, 5, true);
    queue.again(tail);
    queue.want(tails.get(1));
    nanos += TimeUnit.MILLISECONDS.toNanos(500);
    assertSame(tails.get(1), take().tail());
    nanos += TimeUnit.SECONDS.toNanos(1);
    assertEquals(new Claim(tail, Task.COMPARE, false), take());
    queue.done(tail, 0, 5, false);
    assertTrue(queue.needs(tail));
    nanos += TimeUnit.SECONDS.toNanos(40);
    assertEquals(new Claim(tail, Task.COMPARE, false), take());
  }

  @Test
  void aFileThatIsClosedKeepsNobodyWaiting() throws Exception {
    tempo.lease(Tempo.Mode.HURRY);
    tails.get(0).file().giveUpDescriptor();
    queue.changed(tails.get(0));
    grown(tails.get(1));
    assertSame(tails.get(1), take().tail());
  }
}
