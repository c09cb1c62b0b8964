package dev.tailwater.store.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Entries that are put into the index together, beside a map of lists. */
class EntryBatchTest {
  private static final int REMOVES = 128;

  @Test
  void givesEveryEntryOnceAndThoseOfOneHashInOrder() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      long range = new long[] {3, 300, 100_000}[random.nextInt(3)];
      try (Index index = new Index()) {
        EntryBatch batch = new EntryBatch(index, REMOVES);
        for (int round = 0; round < 5; round++) {
          Map<Long, List<Long>> added = new HashMap<>();
          Map<Long, List<Long>> drained = new HashMap<>();
          int entries = random.nextInt(random.nextBoolean() ? 100 : 5_000);
          for (int i = 0; i < entries; i++) {
            long hash = random.nextLong(range) * 0x9E37_79B9_7F4A_7C15L;
            int flags = random.nextInt(256);
            long location = Location.of(1 + round, i, flags);
            batch.add(hash, flags, location);
            added.computeIfAbsent(hash, any -> new ArrayList<>()).add(location ^ flags);
          }
          assertEquals(entries, batch.size(), "seed " + seed);
          batch.drain(
              (hash, flags, location) -> {
                drained.computeIfAbsent(hash, any -> new ArrayList<>()).add(location ^ flags);
                if ((flags & REMOVES) == 0) {
                  index.addIfAbsent(hash, location);
                }
              });
          assertEquals(0, batch.size(), "seed " + seed);
          assertEquals(added, drained, "seed " + seed);
        }
      }
    }
  }

  @Test
  void takesNoMoreMemoryThanEntriesThatComeOneByOne() {
    Random random = new Random(7);
    int entries = 1_000_000;
    try (Index index = new Index()) {
      EntryBatch batch = new EntryBatch(index, REMOVES);
      for (int i = 1; i <= entries; i++) {
        batch.add(random.nextLong(), 0, Location.of(1, i, 100));
        if (i % 100_000 == 0) {
          batch.drain((hash, flags, location) -> index.add(hash, location));
        }
      }
      assertEquals(entries, index.size());
      double bytesPerKey = (double) index.usedBytes() / entries;
      assertTrue(bytesPerKey < 22, bytesPerKey + " bytes for each");
    }
  }
}
