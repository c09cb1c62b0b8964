package dev.tailwater.delivery.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class WorkShareTest {
  private static final int PART = 10;
  private static final long LEAST = 5_000_000;

  /** Reads of a microsecond, and some that hang for seconds in a slow file server. */
  @Test
  void noMoreIsWorkedThanTheShareHoweverLongItTakes() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      WorkShare share = new WorkShare(PART, LEAST);
      long worked = 0;
      long rested = 0;
      for (int step = 0; step < 500; step++) {
        long work = Math.round(Math.pow(10, 3 + 7 * random.nextDouble()));
        share.worked(work);
        worked += work;
        long rest = share.dueNanos();
        share.rested(rest);
        rested += rest;
        assertTrue(worked * (PART - 1) - rested < LEAST, "seed " + seed + ", step " + step);
      }
    }
  }

  @Test
  void aRestThatIsCutShortIsOwed() {
    WorkShare share = new WorkShare(PART, LEAST);
    share.worked(10_000_000);
    assertEquals(90_000_000, share.dueNanos());
    share.rested(30_000_000);
    assertEquals(60_000_000, share.dueNanos());
    share.worked(1_000_000);
    assertEquals(69_000_000, share.dueNanos());
  }

  @Test
  void aRestThatIsTooLongIsNotSavedForLater() {
    WorkShare share = new WorkShare(PART, LEAST);
    share.worked(1_000_000);
    share.rested(1_000_000_000);
    share.worked(1_000_000);
    assertEquals(9_000_000, share.dueNanos());
  }
}
