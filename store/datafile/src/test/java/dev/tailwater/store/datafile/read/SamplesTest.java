package dev.tailwater.store.datafile.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SamplesTest {
  private static final int READS = 100_000;

  private final Samples samples = new Samples();

  @Test
  void takesAboutOneReadOfSixteenAndCountsAll() {
    int taken = 0;
    long counted = 0;
    for (int read = 0; read < READS; read++) {
      if (samples.isNext()) {
        taken++;
        counted += samples.readSample();
      } else {
        samples.readOther();
      }
    }
    assertEquals(READS, counted + samples.uncounted());
    assertTrue(taken > READS / 20 && taken < READS / 14, "taken: " + taken);
  }

  /** As a loop does that reads different things in turn. */
  @Test
  void takesOfEachThingThatIsReadInTurn() {
    for (int things = 2; things <= 64; things++) {
      int[] taken = new int[things];
      for (int read = 0; read < READS; read++) {
        if (samples.isNext()) {
          taken[read % things]++;
          samples.readSample();
        } else {
          samples.readOther();
        }
      }
      for (int thing = 0; thing < things; thing++) {
        int fair = READS / 16 / things;
        assertTrue(taken[thing] > fair / 3, thing + " of " + things + ": " + taken[thing]);
      }
    }
  }
}
