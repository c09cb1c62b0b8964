package dev.tailwater.store.datafile.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** With a clock that goes on each time it is looked at. */
class CommitDelayTest {
  private static final long STEP_NANOS = 10;
  private static final long SYNC_NANOS = 1000;

  private long now;

  /** At these looks at the clock, one more writer arrives. */
  private int arrivals;

  private final CommitDelay gathering = new CommitDelay(this::tick);

  private long tick() {
    now += STEP_NANOS;
    if (arrivals > 0) {
      arrivals--;
      gathering.arrived();
    }
    return now;
  }

  private long waitedNanos() {
    long before = now;
    gathering.await();
    return now - before;
  }

  private void syncsTake() {
    for (int i = 0; i < 100; i++) {
      gathering.synced(SYNC_NANOS);
    }
  }

  @Test
  void aLonelyWriterNeverWaits() {
    syncsTake();
    for (int i = 0; i < 10; i++) {
      gathering.arrived();
      assertEquals(0, waitedNanos());
      gathering.completed(1, 0);
    }
  }

  @Test
  void waitsUntilThoseOfTheLastGroupAreBack() {
    syncsTake();
    gathering.completed(8, 0);
    gathering.arrived();
    arrivals = 7;
    long waited = waitedNanos();
    assertTrue(waited >= 7 * STEP_NANOS && waited < 10 * STEP_NANOS, "waited " + waited);
  }

  @Test
  void waitsNoLongerThanASyncTakesAndThenNotForAWhile() {
    syncsTake();
    gathering.completed(8, 0);
    gathering.arrived();
    long waited = waitedNanos();
    assertTrue(waited <= SYNC_NANOS + 2 * STEP_NANOS, "waited " + waited);
    int without = 0;
    gathering.completed(8, 0);
    while (waitedNanos() == 0) {
      without++;
    }
    assertEquals(16, without);
  }
}
