package dev.tailwater.store.datafile.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class IndexViewTest {
  private record Held(IndexView view, TreeMap<Long, Long> model) {}

  @Test
  void showsWhatWasThereAndGivesAllPagesBack() {
    for (long seed = 1; seed <= 4; seed++) {
      run(seed);
    }
  }

  private static void run(long seed) {
    String place = "seed " + seed;
    Random random = new Random(seed);
    TreeMap<Long, Long> model = new TreeMap<>(Long::compareUnsigned);
    List<Held> held = new ArrayList<>();
    try (Index index = new Index()) {
      for (int step = 1; step <= 30_000; step++) {
        // Most in one partition, so that its table grows while views are open.
        long hash = random.nextLong() >>> (random.nextInt(4) == 0 ? 0 : 8);
        if (random.nextInt(1500) == 0) {
          held.add(new Held(index.view(), new TreeMap<>(model)));
        } else if (random.nextInt(2500) == 0 && !held.isEmpty()) {
          Held one = held.remove(random.nextInt(held.size()));
          check(place, one);
          one.view().close();
        } else if (random.nextInt(3) > 0 || model.isEmpty()) {
          index.add(hash, Location.of(1, step, 64));
          model.put(hash, Location.of(1, step, 64));
        } else {
          Long there = model.ceilingKey(hash);
          long known = there == null ? model.firstKey() : there;
          long location = model.getOrDefault(known, Location.NONE);
          if (random.nextBoolean()) {
            index.replace(known, location, Location.of(2, step, 64));
            model.put(known, Location.of(2, step, 64));
          } else {
            index.remove(known, location);
            model.remove(known);
          }
        }
      }
      for (Held one : held) {
        check(place, one);
        one.view().close();
      }
      IndexView last = index.view();
      check(place, new Held(last, model));
      last.close();
      long usedBytes = index.usedBytes();
      IndexView unchanged = index.view();
      unchanged.close();
      assertEquals(usedBytes, index.usedBytes(), place);
      try (Index alone = new Index()) {
        model.forEach(alone::add);
        // Tables do not shrink, and grew by eighths at other moments; nothing else may be left.
        assertTrue(usedBytes < alone.usedBytes() * 3 / 2, place + ", bytes: " + usedBytes);
      }
    }
  }

  private static void check(String place, Held held) {
    assertEquals(held.model().size(), held.view().size(), place);
    TreeMap<Long, Long> found = new TreeMap<>(Long::compareUnsigned);
    EntryBuffer buffer = new EntryBuffer(50);
    for (int partition = 0; partition < Index.PARTITIONS; partition++) {
      long from = Index.firstHash(partition);
      do {
        held.view().entries(partition, from, buffer);
        for (int i = 0; i < buffer.size(); i++) {
          found.put(buffer.hash(i), buffer.location(i));
        }
        from = buffer.nextHash();
      } while (!buffer.isAtEnd());
    }
    assertEquals(held.model(), found, place);
    held.model().forEach((hash, location) -> assertEquals(location, held.view().find(hash), place));
  }
}
