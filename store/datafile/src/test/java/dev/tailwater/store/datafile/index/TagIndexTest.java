package dev.tailwater.store.datafile.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TagIndexTest {
  private record Pair(long hash, long number) implements Comparable<Pair> {
    @Override
    public int compareTo(Pair other) {
      int byHash = Long.compareUnsigned(hash, other.hash);
      return byHash != 0 ? byHash : Long.compare(number, other.number);
    }
  }

  private record Held(TagView view, Map<String, Set<Pair>> model) {}

  @Test
  void hasAtLeastWhatItHadForEveryOpenViewAndExactlyThatWithoutViews() {
    for (long seed = 1; seed <= 5; seed++) {
      run(seed);
    }
  }

  /** As an opened store reads them; searches among crowded ones would take minutes. */
  @Test
  @Timeout(60)
  void takesPairsByAscendingHashAsFastAsOthers() {
    int pairs = 30_000;
    long[] hashes =
        new Random(1)
            .longs(pairs)
            .sorted()
            .map(signed -> signed ^ Long.MIN_VALUE) // In the order of unsigned numbers.
            .toArray();
    try (TagIndex tagIndex = new TagIndex()) {
      for (int tag = 0; tag < 30; tag++) {
        for (int i = 0; i < pairs; i++) {
          tagIndex.add("tag" + tag, hashes[i], i + 1);
        }
      }
      assertEquals(30L * pairs, tagIndex.size());
      long bytesOfPair = tagIndex.usedBytes() / tagIndex.size();
      assertTrue(bytesOfPair <= 23, bytesOfPair + " bytes for each pair");
    }
  }

  private static void run(long seed) {
    String place = "seed " + seed;
    Random random = new Random(seed);
    Map<String, Set<Pair>> model = new HashMap<>();
    List<Held> held = new ArrayList<>();
    try (TagIndex tagIndex = new TagIndex()) {
      for (int step = 1; step <= 6000; step++) {
        // One tag has many pairs, the others have few.
        String indexTag = random.nextInt(3) > 0 ? "many" : "few" + random.nextInt(20);
        Set<Pair> pairs = model.computeIfAbsent(indexTag, any -> new TreeSet<>());
        boolean grows = step % 3000 < 1800;
        if (random.nextInt(100) == 0) {
          held.add(new Held(new TagView(tagIndex), copy(model)));
        } else if (random.nextInt(60) == 0 && !held.isEmpty()) {
          Held one = held.remove(random.nextInt(held.size()));
          one.model().forEach((name, then) -> assertTrue(of(one.view(), name).containsAll(then)));
          one.view().close();
        } else if (random.nextInt(10) < (grows ? 8 : 3) || pairs.isEmpty()) {
          Pair pair = new Pair(random.nextLong() & 0xFFF0_0000_0000_000FL, step);
          pairs.add(pair);
          tagIndex.add(indexTag, pair.hash(), pair.number());
          tagIndex.add(indexTag, pair.hash(), pair.number());
        } else {
          Pair pair = List.copyOf(pairs).get(random.nextInt(pairs.size()));
          pairs.remove(pair);
          tagIndex.remove(indexTag, pair.hash(), pair.number());
          tagIndex.remove(indexTag, pair.hash(), pair.number());
        }
      }
      model.values().removeIf(Set::isEmpty);
      Map<String, Long> counts = new TreeMap<>();
      model.forEach((indexTag, pairs) -> counts.put(indexTag, (long) pairs.size()));
      assertEquals(counts, tagIndex.counts("", "z"), place);
      held.forEach(one -> one.view().close());
      TagView last = new TagView(tagIndex);
      model.forEach((indexTag, pairs) -> assertEquals(pairs, of(last, indexTag), place));
      last.close();
      assertEquals(
          counts.values().stream().mapToLong(count -> count).sum(), tagIndex.size(), place);
      model.forEach(
          (indexTag, pairs) ->
              pairs.forEach(pair -> tagIndex.remove(indexTag, pair.hash(), pair.number())));
      assertEquals(0, tagIndex.size(), place);
      assertEquals(0, tagIndex.tagCount(), place);
      assertEquals(0, tagIndex.usedBytes(), place + ": all pages were given back");
    }
  }

  private static Map<String, Set<Pair>> copy(Map<String, Set<Pair>> model) {
    Map<String, Set<Pair>> copy = new HashMap<>();
    model.forEach((indexTag, pairs) -> copy.put(indexTag, new TreeSet<>(pairs)));
    return copy;
  }

  private static Set<Pair> of(TagView view, String indexTag) {
    Set<Pair> pairs = new TreeSet<>();
    EntryBuffer buffer = new EntryBuffer(7);
    long from = 0;
    do {
      view.pairs(indexTag, from, buffer);
      for (int i = 0; i < buffer.size(); i++) {
        assertTrue(pairs.add(new Pair(buffer.hash(i), buffer.location(i))), "given once");
      }
      from = buffer.nextHash();
    } while (!buffer.isAtEnd());
    return pairs;
  }

  @Test
  void takesLittleForALabelOfManyKeysAndNoPageForOneOfFew() {
    try (TagIndex tagIndex = new TagIndex()) {
      for (int i = 0; i < 1000; i++) {
        tagIndex.add("few" + i % 100, i * 0x9E37_79B9_7F4A_7C15L, i + 1);
      }
      assertEquals(0, tagIndex.usedBytes());
      int many = 1_000_000;
      for (int i = 0; i < many; i++) {
        tagIndex.add("many", i * 0x9E37_79B9_7F4A_7C15L, i + 1);
      }
      assertTrue(tagIndex.usedBytes() < 22L * many, "bytes: " + tagIndex.usedBytes());
      tagIndex.put("many", 0x9E37_79B9_7F4A_7C15L, many + 1);
      assertEquals(Long.valueOf(many), tagIndex.counts("many", "many0").get("many"));
    }
  }
}
