package dev.tailwater.store.datafile.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The index beside a map of lists, and beside readers. */
class IndexTest {
  @Test
  void doesWhatAMapOfListsDoesWhileItGrowsAndShrinks() {
    for (long seed = 1; seed <= 12; seed++) {
      Random random = new Random(seed);
      // Few different hashes collide; those of one partition fill it.
      int bits = new int[] {5, 12, 16, 40, 64}[random.nextInt(5)];
      int rotation = random.nextInt(64);
      try (Index index = new Index()) {
        Map<Long, List<Long>> model = new HashMap<>();
        long count = 0;
        int bias = 70;
        for (int step = 0; step < 8_000; step++) {
          if (step % 2000 == 0) {
            bias = random.nextInt(20, 90);
          }
          long hash = hash(random, bits, rotation);
          List<Long> there = model.computeIfAbsent(hash, any -> new ArrayList<>());
          long location = Location.of(1 + random.nextInt(3), step, 100);
          int action = random.nextInt(100);
          if (action < bias && there.size() < 6) {
            index.add(hash, location);
            there.add(location);
            count++;
          } else if (!there.isEmpty() && action % 2 == 0) {
            assertTrue(index.replace(hash, there.getFirst(), location), "seed " + seed);
            there.set(0, location);
          } else if (!there.isEmpty()) {
            assertTrue(index.remove(hash, there.removeLast()), "seed " + seed);
            count--;
          } else {
            assertFalse(index.remove(hash, location), "seed " + seed);
            assertFalse(index.replace(hash, location, location + 1), "seed " + seed);
          }
          check(index, hash, there, seed);
        }
        assertEquals(count, index.size(), "seed " + seed);
        model.forEach((hash, there) -> check(index, hash, there, 0));
        checkOrder(index, count, seed);
      }
    }
  }

  private static long hash(Random random, int bits, int rotation) {
    long low = bits == 64 ? random.nextLong() : random.nextLong() & ((1L << bits) - 1);
    return Long.rotateLeft(low, rotation);
  }

  private static void check(Index index, long hash, List<Long> expected, long seed) {
    long[] found = new long[64];
    int count = index.findAll(hash, found);
    long[] sorted = Arrays.copyOf(found, count);
    Arrays.sort(sorted);
    assertEquals(
        expected.stream().sorted().toList(),
        Arrays.stream(sorted).boxed().toList(),
        "seed " + seed);
    long one = index.find(hash);
    switch (expected.size()) {
      case 0 -> assertEquals(Location.NONE, one);
      case 1 -> assertEquals(expected.getFirst(), one);
      default -> assertEquals(Index.SEVERAL, one);
    }
  }

  private static void checkOrder(Index index, long count, long seed) {
    List<Long> hashes = new ArrayList<>();
    for (int partition = 0; partition < Index.PARTITIONS; partition++) {
      int before = hashes.size();
      index.forEach(partition, (hash, location) -> hashes.add(hash));
      assertEquals(index.size(partition), hashes.size() - before, "seed " + seed);
    }
    assertEquals(count, hashes.size());
    assertEquals(hashes.stream().sorted(Long::compareUnsigned).toList(), hashes, "seed " + seed);
  }

  @Test
  void takesLessThan21BytesForAKeyOfMany() {
    try (Index index = new Index()) {
      Random random = new Random(7);
      for (int i = 0; i < 1_500_000; i++) {
        index.add(random.nextLong(), Location.of(1, i, 100));
        if (i > 1_000_000 && i % 100_000 == 0) {
          long bytes = index.memoryBytes() / i;
          assertTrue(bytes <= 22, bytes + " bytes for each of " + i);
        }
      }
    }
  }

  @Test
  void isTheSameWhenFilledInOneGo() {
    Random random = new Random(3);
    try (Index index = new Index();
        Index copy = new Index()) {
      for (int i = 0; i < 100_000; i++) {
        index.add(
            i % 3 == 0
                ? random.nextLong() >>> 56 << 56 | 0xFFFF_FFFF_FFFFFFL - i % 200
                : random.nextLong(),
            Location.of(1, i, 100));
      }
      Index.Filling filling = copy.filling();
      for (int partition = 0; partition < Index.PARTITIONS; partition++) {
        filling.begin(partition, index.size(partition));
        index.forEach(
            partition, (hash, location) -> assertTrue(filling.add(hash, location), "ascends"));
        filling.finish();
      }
      List<Long> expected = new ArrayList<>();
      List<Long> found = new ArrayList<>();
      for (int partition = 0; partition < Index.PARTITIONS; partition++) {
        index.forEach(partition, (hash, location) -> expected.addAll(List.of(hash, location)));
        copy.forEach(partition, (hash, location) -> found.addAll(List.of(hash, location)));
      }
      assertEquals(expected, found);
      assertEquals(index.size(), copy.size());
    }
  }

  @Test
  void aBatchIsAddedAndFoundLikeOneAfterTheOther() {
    long seed = System.nanoTime();
    String place = "seed " + seed;
    Random random = new Random(seed);
    try (Index alone = new Index();
        Index inBatches = new Index()) {
      HashBatch batch = new HashBatch(1);
      for (int round = 0; round < 50; round++) {
        int size = random.nextInt(5_000);
        batch.clear();
        for (int i = 0; i < size; i++) {
          // In some rounds, all of one partition, and some of them twice.
          long hash = round % 7 == 3 ? random.nextInt(4_000) : random.nextLong();
          long location = Location.of(1 + round, i, 100);
          alone.add(hash, location);
          batch.add(hash, location);
        }
        inBatches.addEach(batch);
        for (int i = 0; i < size; i++) {
          batch.setLocation(i, -7);
        }
        batch.add(random.nextLong(), -7); // which there is not
        inBatches.findEach(batch);
        for (int i = 0; i < batch.size(); i++) {
          assertEquals(alone.find(batch.hash(i)), batch.location(i), place);
        }
      }
      assertEquals(alone.size(), inBatches.size(), place);
      for (int partition = 0; partition < Index.PARTITIONS; partition++) {
        List<Long> expected = new ArrayList<>();
        List<Long> found = new ArrayList<>();
        alone.forEach(partition, (hash, location) -> expected.addAll(List.of(hash, location)));
        inBatches.forEach(partition, (hash, location) -> found.addAll(List.of(hash, location)));
        assertEquals(expected, found, place);
      }
    }
  }

  @Test
  void readersAlwaysFindWhatStaysWhileWritersChangeEverythingElse() throws Exception {
    try (Index index = new Index()) {
      long[] stay = new Random(1).longs(1000).map(hash -> hash & ~0xFL).toArray();
      for (int i = 0; i < stay.length; i++) {
        index.add(stay[i], Location.of(7, i, 64));
      }
      AtomicBoolean done = new AtomicBoolean();
      AtomicReference<String> wrong = new AtomicReference<>("");
      Runnable reading =
          () -> {
            for (int i = 0; !done.get(); i = (i + 1) % stay.length) {
              long found = index.find(stay[i]);
              if (Location.file(found) != 7 || Location.offsetBytes(found) % stay.length != i) {
                wrong.set("found " + Long.toHexString(found) + " for " + i);
                return;
              }
            }
          };
      Thread[] readers = {new Thread(reading), new Thread(reading)};
      for (Thread reader : readers) {
        reader.start();
      }
      Random random = new Random(2);
      for (int round = 1; round <= 3; round++) {
        long[] others = random.longs(40_000).map(hash -> hash | 1).toArray();
        for (int i = 0; i < others.length; i++) {
          index.add(others[i], Location.of(8, i, 64));
          if (i % 50 == 0) {
            int moved = random.nextInt(stay.length);
            long old = index.find(stay[moved]);
            long next = Location.of(7, Location.offsetBytes(old) + stay.length, 64);
            assertTrue(index.replace(stay[moved], old, next));
          }
        }
        for (int i = 0; i < others.length; i++) {
          assertTrue(index.remove(others[i], Location.of(8, i, 64)));
        }
      }
      done.set(true);
      for (Thread reader : readers) {
        reader.join();
      }
      assertEquals("", wrong.get());
    }
  }

  @Test
  void hashesDifferWithKeyAndSecretAndLength() {
    SipHash hash = new SipHash(1, 2);
    assertEquals(hash.hash(new byte[] {1, 2, 3}), hash.hash(new byte[] {1, 2, 3}));
    assertTrue(hash.hash(new byte[3]) != hash.hash(new byte[4]));
    assertTrue(hash.hash(new byte[8]) != new SipHash(1, 3).hash(new byte[8]));
    assertTrue(hash.hash(new byte[8]) != hash.hash(new byte[9]));
  }
}
