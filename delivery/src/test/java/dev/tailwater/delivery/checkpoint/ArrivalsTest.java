package dev.tailwater.delivery.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.TestAgent;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.time.ArchiveClock;
import dev.tailwater.delivery.time.ArrivalClock;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.delivery.time.ToldTimes;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ArrivalsTest {
  private static final long NANOS_PER_MILLI = 1_000_000;

  @TempDir private Path directory;
  private final AtomicLong nowMillis = new AtomicLong(1_700_000_000_000L);
  private final Problems problems = new Problems(new NoProblem(), nowMillis::get);
  private TransactionLogStore notes;

  private static final class NoProblem implements ProblemListener {
    @Override
    public void began(Problem problem) {
      throw new AssertionError(problem);
    }

    @Override
    public void ended(Problem problem) {}
  }

  @BeforeEach
  void open() throws IOException {
    notes =
        TransactionLogStore.open(
            TestAgent.REAL_CALLS, PosixPath.of(directory), StoreOptions.defaults());
  }

  @AfterEach
  void close() throws IOException {
    notes.close();
  }

  private static ArrivalClock clock(LongSupplier millis) {
    return new ArrivalClock(new ArchiveClock(new Clocks(() -> 0, millis)));
  }

  @Test
  void aLookAtDirectoriesIsBetweenTheArrivalsBeforeAndAfterItThoughTheClockIsBehind()
      throws IOException {
    ArrivalClock clock = clock(nowMillis::get);
    try (Arrivals killed = Arrivals.after(notes, clock, problems)) {
      long first = killed.nextNanos();
      killed.note();
      ArrivalClock next = clock(nowMillis::get);
      try (Arrivals arrivals = Arrivals.after(notes, next, problems)) {
        long before = arrivals.nextNanos();
        assertTrue(before > first + NANOS_PER_MILLI);
        long look = next.lookMillis() * NANOS_PER_MILLI;
        long after = arrivals.nextNanos();
        assertTrue(before < look && look < after, before + ", " + look + ", " + after);
        long another = next.lookMillis() * NANOS_PER_MILLI;
        assertTrue(after < another && another < arrivals.nextNanos());
      }
    }
  }

  /** The watch need not note anything before what a look has found is told. */
  @Test
  void aRunThatFollowsAKillGoesOnBehindLooksThatTheWatchHasNotNoted() throws IOException {
    Arrivals killed = start();
    var _ = killed.nextNanos();
    killed.note();
    Arrivals arrivals = start();
    for (int destination = 0; destination < 3; destination++) {
      long look = arrivals.lookMillis() * NANOS_PER_MILLI;
      assertTrue(start().nextNanos() > look, "after look " + destination);
    }
  }

  /** Each kill has the next run go on ahead of the clock, and each loss of state after that. */
  @Test
  void killsAndLossesOfStateDoNotAddUp(@TempDir Path other) throws IOException {
    long told = 0;
    for (int life = 0; life < 10; life++) {
      Path state = Files.createDirectory(other.resolve("state-" + life));
      try (TransactionLogStore lost =
          TransactionLogStore.open(
              TestAgent.REAL_CALLS, PosixPath.of(state), StoreOptions.defaults())) {
        ArrivalClock clock = clock(nowMillis::get);
        var _ = clock.goOnAfter(told);
        for (int kill = 0; kill < 3; kill++) {
          Arrivals arrivals = Arrivals.after(lost, clock, problems);
          long next = arrivals.nextNanos() / NANOS_PER_MILLI;
          assertTrue(next >= told, "they went back");
          told = next;
          arrivals.note();
          nowMillis.addAndGet(1);
        }
      }
    }
    long ahead = told - nowMillis.get();
    assertTrue(ahead <= ToldTimes.ARRIVALS_AHEAD_MILLIS + 30, "they are ahead by " + ahead);
  }

  private Arrivals start() throws IOException {
    return Arrivals.after(notes, clock(nowMillis::get), problems);
  }

  @Test
  void anArrivalIsTheTimeAndHigherThanThoseBefore() throws IOException {
    Arrivals arrivals = start();
    long first = arrivals.nextNanos();
    assertEquals(nowMillis.get() * NANOS_PER_MILLI, first);
    assertEquals(first + 1, arrivals.nextNanos());
    assertEquals(nowMillis.addAndGet(5) * NANOS_PER_MILLI, arrivals.nextNanos());
  }

  @Test
  void arrivalsGoOnWhenTheClockIsSetBackBeforeTheNextStart() throws IOException {
    Arrivals arrivals = start();
    long last = arrivals.nextNanos();
    arrivals.note();
    nowMillis.addAndGet(-3_600_000);
    assertTrue(arrivals.nextNanos() > last, "in the same run");
    assertTrue(start().nextNanos() > last, "in the next run");
  }

  @Test
  void arrivalsSinceTheLastNoteAreNotGivenAgainWhenTheClockIsSetBack() throws IOException {
    Arrivals arrivals = start();
    var _ = arrivals.nextNanos();
    arrivals.note();
    nowMillis.addAndGet(9_000);
    long last = arrivals.nextNanos();
    arrivals.note();
    nowMillis.addAndGet(-3_600_000);
    assertTrue(start().nextNanos() > last, "in the next run, after a kill");
    for (int i = 0; i < 5_000; i++) {
      last = arrivals.nextNanos();
      arrivals.note();
    }
    assertTrue(start().nextNanos() > last, "in the next run, while the clock is behind");
  }

  @Test
  void anOrderlyEndNotesTheHighestNumber() throws IOException {
    long last;
    try (Arrivals arrivals = start()) {
      last = arrivals.nextNanos();
      arrivals.note();
      nowMillis.addAndGet(50);
      last = arrivals.nextNanos();
    }
    assertEquals(last, noted());
  }

  @Test
  void arrivalsGoOnBehindTheEndOfARunWhenTheClockIsSetBack() throws IOException {
    try (Arrivals arrivals = start()) {
      var _ = arrivals.nextNanos();
      nowMillis.addAndGet(60_000); // It tells modes in that time, for example.
    }
    long endMillis = nowMillis.getAndAdd(-3_600_000);
    Arrivals next = start();
    assertTrue(next.nextNanos() >= endMillis * NANOS_PER_MILLI);
    assertEquals(endMillis, next.lastMillis());
  }

  @Test
  void startsThatFollowEachOtherFastDoNotGoAheadOfTheClock() throws IOException {
    for (int i = 0; i < 100; i++) {
      Arrivals arrivals = start();
      nowMillis.addAndGet(10);
      var _ = arrivals.nextNanos();
      arrivals.note();
    }
    long aheadNanos = start().nextNanos() - nowMillis.get() * NANOS_PER_MILLI;
    assertTrue(aheadNanos < 11_000 * NANOS_PER_MILLI, () -> "ahead by " + aheadNanos);
  }

  @Test
  void theHighestNumberIsNotNotedAllTheTime() throws IOException {
    Arrivals arrivals = start();
    var _ = arrivals.nextNanos();
    arrivals.note();
    long noted = noted();
    nowMillis.addAndGet(9_999);
    var _ = arrivals.nextNanos();
    arrivals.note();
    assertEquals(noted, noted());
    nowMillis.addAndGet(2);
    var _ = arrivals.nextNanos();
    arrivals.note();
    assertTrue(noted() > noted);
  }

  @Test
  @Timeout(60)
  void aDiskThatWasFullIsNoProblemAnyMoreAlthoughNobodyLooksAgain() throws Exception {
    notes.close();
    AtomicBoolean full = new AtomicBoolean();
    FaultyFileCalls calls =
        FaultyFileCalls.wrap(
            TestAgent.REAL_CALLS,
            call ->
                full.get() && call.method().startsWith("pwrite")
                    ? new Fault.Fail(Errno.ENOSPC)
                    : Fault.PROCEED);
    notes =
        TransactionLogStore.open(calls.calls(), PosixPath.of(directory), StoreOptions.defaults());
    List<String> told = new CopyOnWriteArrayList<>();
    Problems open = new Problems(new Told(told), nowMillis::get);
    try (Arrivals arrivals = Arrivals.after(notes, clock(nowMillis::get), open)) {
      long last = arrivals.nextNanos();
      full.set(true);
      arrivals.note();
      arrivals.note();
      assertEquals(List.of("began notes in the state directory"), told);
      full.set(false);
      while (told.size() < 2) {
        Thread.sleep(5);
      }
      assertEquals(
          List.of("began notes in the state directory", "ended notes in the state directory"),
          told);
      assertTrue(noted() >= last);
    }
  }

  private record Told(List<String> told) implements ProblemListener {
    @Override
    public void began(Problem problem) {
      told.add("began " + problem.subject());
    }

    @Override
    public void ended(Problem problem) {
      told.add("ended " + problem.subject());
    }
  }

  /** What an agent would go on behind whose clock says 1970. */
  private long noted() throws IOException {
    return Arrivals.after(notes, clock(() -> 0), problems).nextNanos() - 1;
  }
}
