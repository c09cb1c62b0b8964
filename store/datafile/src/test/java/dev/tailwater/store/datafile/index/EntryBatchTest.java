package dev.tailwater.store.datafile.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Entries that are put into the index together, beside a map. */
class EntryBatchTest {
  @Test
  void givesEveryEntryOnceAndThoseOfOneHashInOrder() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      long range = new long[] {3, 300, 100_000}[random.nextInt(3)];
      try (Index index = new Index()) {
        EntryBatch batch = new EntryBatch(index);
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
              (partition, words, count) -> {
                for (int i = 0; i < 2 * count; i += 2) {
                  long hash = EntryBatch.hash(partition, words[i]);
                  drained
                      .computeIfAbsent(hash, any -> new ArrayList<>())
                      .add(words[i + 1] ^ EntryBatch.flags(words[i]));
                }
              });
          assertEquals(0, batch.size(), "seed " + seed);
          assertEquals(added, drained, "seed " + seed);
        }
      }
    }
  }

  @Test
  void makesOfManyEntriesWhatPuttingThemOneByOneMakes() {
    for (long seed = 1; seed <= 30; seed++) {
      Random random = new Random(seed);
      Map<Long, Long> model = new TreeMap<>(Long::compareUnsigned);
      try (Index index = new Index()) {
        PartitionDraft draft = new PartitionDraft(index);
        for (int round = 1; round <= 6; round++) {
          putSome(index, draft, model, random, round);
          checkSame(model, index, "seed " + seed + ", round " + round);
          // The table is one that others can go on with.
          long hash = hash(random);
          long location = Location.of(100, round, 64);
          Long there = model.put(hash, location);
          assertTrue(
              there == null
                  ? index.addIfAbsent(hash, location)
                  : index.replace(hash, there, location));
          checkSame(model, index, "seed " + seed + ", behind round " + round);
        }
      }
    }
  }

  /** In two partitions; many near the end of theirs, so that these reach behind the last home. */
  private static long hash(Random random) {
    long partition = (long) random.nextInt(2) << 56;
    return switch (random.nextInt(3)) {
      case 0 -> partition | 0xFF_FFFF_FFFF_FFFFL - random.nextInt(2_000);
      case 1 -> partition | random.nextInt(2_000);
      default -> partition | random.nextLong() >>> 8;
    };
  }

  private static void putSome(
      Index index, PartitionDraft draft, Map<Long, Long> model, Random random, int round) {
    EntryBatch batch = new EntryBatch(index);
    int entries = random.nextInt(new int[] {2, 200, 20_000}[random.nextInt(3)]);
    for (int i = 0; i < entries; i++) {
      boolean removes = random.nextInt(4) == 0;
      batch.add(hash(random), removes ? 1 : 0, Location.of(round, i, 64));
    }
    batch.drain(
        (partition, words, count) -> {
          boolean drafts = draft.begin(partition, count);
          for (int i = 0; i < 2 * count; i += 2) {
            long hash = EntryBatch.hash(partition, words[i]);
            long location = words[i + 1];
            boolean removes = EntryBatch.flags(words[i]) != 0;
            Long there = removes ? model.remove(hash) : model.put(hash, location);
            long expected = there == null ? Location.NONE : there;
            if (drafts) {
              assertEquals(expected, removes ? draft.remove(hash) : draft.put(hash, location));
            } else if (removes) {
              index.remove(hash, expected);
            } else if (there == null) {
              index.add(hash, location);
            } else {
              index.replace(hash, expected, location);
            }
          }
          if (drafts) {
            draft.finish();
          }
        });
  }

  private static void checkSame(Map<Long, Long> model, Index index, String place) {
    List<Long> expected = new ArrayList<>();
    List<Long> found = new ArrayList<>();
    model.forEach((hash, location) -> expected.addAll(List.of(hash, location)));
    for (int partition = 0; partition < Index.PARTITIONS; partition++) {
      index.forEach(partition, (hash, location) -> found.addAll(List.of(hash, location)));
    }
    assertEquals(expected, found, place);
    assertEquals(model.size(), index.size(), place);
    model.forEach((hash, location) -> assertEquals(location, index.find(hash), place));
  }

  @Test
  void leavesAPartitionAloneInWhichTwoEntriesHaveOneHash() {
    try (Index index = new Index()) {
      index.add(7, Location.of(1, 100, 64));
      index.add(7, Location.of(1, 200, 64));
      assertEquals(false, new PartitionDraft(index).begin(0, 1000));
      assertTrue(new PartitionDraft(index).begin(1, 1000));
    }
  }

  @Test
  void takesNoMoreMemoryThanEntriesThatComeOneByOne() {
    Random random = new Random(7);
    int entries = 1_000_000;
    try (Index index = new Index()) {
      EntryBatch batch = new EntryBatch(index);
      PartitionDraft draft = new PartitionDraft(index);
      for (int i = 1; i <= entries; i++) {
        long hash = random.nextLong();
        batch.add(hash, 0, Location.of(1, i, 100));
        batch.add(hash, 0, Location.of(1, i + 1, 100));
        if (i % 500_000 == 0) {
          batch.drain(
              (partition, words, count) -> {
                assertTrue(draft.begin(partition, count));
                for (int at = 0; at < 2 * count; at += 2) {
                  draft.put(EntryBatch.hash(partition, words[at]), words[at + 1]);
                }
                draft.finish();
              });
        }
      }
      assertEquals(entries, index.size());
      double bytesPerKey = (double) index.usedBytes() / entries;
      assertTrue(bytesPerKey < 22, bytesPerKey + " bytes for each");
    }
  }
}
