package dev.tailwater.store.datafile.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** With a clock of its own. */
public class CommitTimersTest {
  private static final long WRITE_WITHIN_NANOS = 10;

  /** Near the end of a long: times of this clock overflow. */
  private long now = Long.MAX_VALUE - 50;

  private final CommitTimers timers = new CommitTimers(() -> now, WRITE_WITHIN_NANOS);

  /** What the committer does with what was appended: nothing when it suffices. */
  private void append(long withinNanos) {
    if (!timers.suffice(withinNanos)) {
      timers.arm(withinNanos);
    }
  }

  @Test
  void writesWithinItsTimeAndSyncsNothingUnlessAsked() {
    assertEquals(CommitTimers.NEVER, timers.writeDueInNanos());
    append(CommitTimers.NEVER);
    now += 4;
    append(CommitTimers.NEVER);
    assertEquals(6, timers.writeDueInNanos());
    assertEquals(CommitTimers.NEVER, timers.syncDueInNanos());
    now += 100;
    assertEquals(0, timers.writeDueInNanos());
    timers.writing();
    assertEquals(CommitTimers.NEVER, timers.writeDueInNanos());
  }

  @Test
  void keepsTheSyncOfALongPeriodWhenAShortOneEndsLater() {
    append(100);
    now += 95;
    append(10);
    assertEquals(5, timers.syncDueInNanos());
    append(3);
    assertEquals(3, timers.syncDueInNanos());
  }

  @Test
  void takesTheLongestPeriods() {
    CommitTimers long_ = new CommitTimers(() -> now, Long.MAX_VALUE);
    long_.arm(Duration.ofDays(100_000).toNanos());
    assertTrue(long_.writeDueInNanos() > Duration.ofDays(1000).toNanos());
    assertTrue(long_.syncDueInNanos() > Duration.ofDays(1000).toNanos());
  }

  /** The sync is never due later than a period after the oldest write of that period. */
  @Test
  void everyWriteIsSyncedWithinItsPeriod() {
    for (long seed = 1; seed <= 2000; seed++) {
      Random random = new Random(seed);
      now = random.nextLong();
      timers.syncing();
      long left = CommitTimers.NEVER;
      for (int i = 0; i < 30; i++) {
        if (random.nextInt(6) == 0) {
          timers.syncing();
          left = CommitTimers.NEVER;
        } else if (random.nextInt(6) == 0) {
          timers.writing(); // no sync
        }
        long passed = random.nextInt(20);
        now += passed;
        left = left == CommitTimers.NEVER ? left : left - passed;
        long period = random.nextInt(5) == 0 ? CommitTimers.NEVER : 1 + random.nextInt(200);
        append(period);
        left = Math.min(left, period);
        long expected = left == CommitTimers.NEVER ? left : Math.max(0, left);
        assertEquals(expected, timers.syncDueInNanos(), "seed " + seed);
        assertTrue(timers.writeDueInNanos() <= WRITE_WITHIN_NANOS, "seed " + seed);
      }
    }
  }
}
