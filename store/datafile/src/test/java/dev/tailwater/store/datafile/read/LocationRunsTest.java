package dev.tailwater.store.datafile.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.datafile.index.Location;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Records that lie close together are read by one call, in the order in which they lie on disk. */
class LocationRunsTest {
  private static final int UNIT_BYTES = Location.LENGTH_UNIT_BYTES;
  private static final int UNKNOWN_BYTES = Location.LENGTH_UNITS_LIMIT * UNIT_BYTES;

  private final LocationRuns runs = new LocationRuns();

  private List<List<Long>> runsOf(Long... locations) {
    runs.clear();
    runs.add(locations.length, i -> locations[i]);
    runs.sort();
    List<List<Long>> all = new ArrayList<>();
    while (runs.next()) {
      List<Long> run = new ArrayList<>();
      for (int i = 0; i < runs.records(); i++) {
        run.add(runs.location(i));
      }
      all.add(run);
    }
    return all;
  }

  @Test
  void neighboursAreOneRunInWhateverOrderTheyCome() {
    long first = Location.of(1, 100, 3 * UNIT_BYTES);
    long second = Location.of(1, 100 + 3 * UNIT_BYTES, UNIT_BYTES);
    assertEquals(List.of(List.of(first, second)), runsOf(second, first));
  }

  @Test
  void aWideGapEndsARun() {
    long first = Location.of(1, 0, UNIT_BYTES);
    long near = Location.of(1, 2 * UNIT_BYTES + LocationRuns.MOST_GAP_BYTES - UNIT_BYTES, 1);
    long far = Location.of(1, Location.offsetBytes(near) + LocationRuns.MOST_GAP_BYTES + 65, 1);
    assertEquals(List.of(List.of(first, near), List.of(far)), runsOf(first, near, far));
  }

  @Test
  void anotherFileEndsARun() {
    long first = Location.of(1, 0, UNIT_BYTES);
    long other = Location.of(2, UNIT_BYTES, UNIT_BYTES);
    assertEquals(List.of(List.of(first), List.of(other)), runsOf(other, first));
  }

  @Test
  void aRecordOfUnknownLengthIsARunOfItsOwn() {
    long before = Location.of(1, 0, UNIT_BYTES);
    long unknown = Location.of(1, UNIT_BYTES, UNKNOWN_BYTES);
    long after = Location.of(1, 2 * UNIT_BYTES, UNIT_BYTES);
    assertEquals(0, Location.maxLengthBytes(unknown));
    assertEquals(
        List.of(List.of(before), List.of(unknown), List.of(after)), runsOf(before, unknown, after));
  }

  @Test
  void aRunFitsTheBufferUnlessItIsOneRecord() {
    long large = Location.of(1, 0, 2 * ReadBuffer.KEPT_BYTES);
    long next = Location.of(1, 2 * ReadBuffer.KEPT_BYTES, UNIT_BYTES);
    assertEquals(List.of(List.of(large), List.of(next)), runsOf(large, next));
  }

  @Test
  void everyLocationIsInOneRunAndInsideItsBytes() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Long[] locations = new Long[1 + random.nextInt(300)];
      long[] endBytes = new long[4];
      for (int i = 0; i < locations.length; i++) {
        int file = 1 + random.nextInt(3);
        int lengthBytes =
            random.nextInt(20) == 0
                ? UNKNOWN_BYTES + random.nextInt(1000)
                : 1 + random.nextInt(random.nextBoolean() ? 500 : 90_000);
        long offsetBytes = endBytes[file] + random.nextInt(random.nextBoolean() ? 1 : 9_000);
        locations[i] = Location.of(file, offsetBytes, lengthBytes);
        endBytes[file] = offsetBytes + lengthBytes;
      }
      List<Long> shuffled = new ArrayList<>(List.of(locations));
      Collections.shuffle(shuffled, random);
      runs.clear();
      runs.add(shuffled.size(), shuffled::get);
      runs.sort();
      List<Long> seen = new ArrayList<>();
      while (runs.next()) {
        for (int i = 0; i < runs.records(); i++) {
          long location = runs.location(i);
          seen.add(location);
          if (runs.records() > 1) {
            assertTrue(runs.lengthBytes() <= ReadBuffer.KEPT_BYTES, "seed " + seed);
            assertTrue(
                runs.inRunBytes(i) + Location.maxLengthBytes(location) <= runs.lengthBytes(),
                "seed " + seed);
          }
        }
      }
      Arrays.sort(locations);
      assertEquals(List.of(locations), seen, "seed " + seed);
    }
  }

  @Test
  void isFullBeforeSortingTakesMuchMemory() {
    runs.add(LocationRuns.MOST_LOCATIONS - 1, i -> Location.of(1, 64L * i, 1));
    assertFalse(runs.isFull());
    runs.add(1, _ -> Location.of(2, 0, 1));
    assertTrue(runs.isFull());
    runs.clear();
    assertFalse(runs.isFull());
    runs.sort();
    assertFalse(runs.next());
  }
}
