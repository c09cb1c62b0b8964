package dev.tailwater.store.simulated;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes whose sizes are near the limits: what a store acknowledges, it gives back. */
public abstract class SizeContract {
  private static final WriteOptions PLAIN = WriteOptions.defaults();
  private static final WriteOptions FULL =
      PLAIN.withTimeToLive(Duration.ofDays(1)).withTags(Set.of("tag"));
  private static final int MEBIBYTE = 1024 * 1024;

  @TempDir Path temporary;

  /** The store of the mode in this directory. */
  protected abstract KeyValueStore open(PosixPath directory) throws IOException;

  @Test
  void givesBackWhatManyUpdatesAtOnceMadeLongerThanOneFrameMayBe() throws Exception {
    int writers = 12;
    byte[] value = new byte[14 * MEBIBYTE];
    try (KeyValueStore store = open();
        ExecutorService threads = Executors.newFixedThreadPool(writers)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        byte[] key = Texts.bytes("k" + i);
        running.add(threads.submit(() -> store.putIfAbsent(key, value, PLAIN)));
      }
      for (Future<?> done : running) {
        done.get();
      }
    }
    try (KeyValueStore store = open()) {
      assertEquals(writers, store.statistics().keys());
      for (int i = 0; i < writers; i++) {
        assertEquals(value.length, store.get(Texts.bytes("k" + i)).orElseThrow().length);
      }
    }
  }

  @Test
  void givesBackTheLongestBatchOfPutsThatEnd() throws IOException {
    int puts;
    try (KeyValueStore store = open()) {
      puts = applyLongest(store);
    }
    try (KeyValueStore store = open()) {
      assertEquals(puts, store.statistics().keys());
      assertTrue(store.find(Texts.bytes("0")).orElseThrow().expiresAtMillis().isPresent());
    }
  }

  private static int applyLongest(KeyValueStore store) throws IOException {
    WriteBatch batch = new WriteBatch();
    byte[] value = new byte[1000];
    try {
      while (true) {
        batch.put(Texts.bytes("" + batch.size()), value, FULL);
      }
    } catch (IllegalArgumentException full) {
      assertTrue(full.getMessage().contains("batch"), full.getMessage());
    }
    store.apply(batch);
    return batch.size();
  }

  @Test
  void givesBackTheLongestKeyValueAndTags() throws IOException {
    byte[] key = new byte[KeyValueStore.MAX_KEY_BYTES];
    byte[] value = new byte[KeyValueStore.MAX_VALUE_BYTES];
    String tag = "t".repeat(WriteOptions.MAX_TAG_BYTES - 2);
    try (KeyValueStore store = open()) {
      store.put(key, value, PLAIN.withTags(Set.of(tag)));
      assertThrows(IllegalArgumentException.class, () -> store.append(key, new byte[1], PLAIN));
    }
    try (KeyValueStore store = open()) {
      Entry entry = store.find(key).orElseThrow();
      assertEquals(value.length, entry.value().length);
      assertEquals(Set.of(tag), entry.tags());
    }
  }

  @Test
  void isLikeAMapForSizesNearEveryLimit() throws IOException {
    for (int seed = 1; seed <= Soak.rounds(4, 200); seed++) {
      Random random = new Random(seed);
      Map<String, byte[]> model = new HashMap<>();
      PosixPath directory = PosixPath.of(temporary.resolve("seed" + seed));
      for (int opening = 0; opening < 3; opening++) {
        try (KeyValueStore store = open(directory)) {
          compare("seed " + seed, model, store);
          for (int i = 0; i < 12; i++) {
            write(store, random, model);
          }
          compare("seed " + seed, model, store);
        }
      }
    }
  }

  private static void write(KeyValueStore store, Random random, Map<String, byte[]> model)
      throws IOException {
    String key = "key" + random.nextInt(8);
    byte[] bytes = Texts.bytes(key);
    byte[] value = value(random);
    WriteOptions options = random.nextBoolean() ? FULL : PLAIN;
    Optional<byte[]> old = Optional.ofNullable(model.get(key));
    switch (random.nextInt(6)) {
      case 0 -> {
        boolean absent = store.putIfAbsent(bytes, value, options).isPresent();
        assertEquals(old.isEmpty(), absent, key);
        model.putIfAbsent(key, value);
      }
      case 1 -> {
        store.append(bytes, value, options);
        model.merge(key, value, SizeContract::joined);
      }
      case 2 -> {
        store.putAll(List.of(new BulkPut(bytes, value, options)), PLAIN);
        model.put(key, value);
      }
      case 3 -> {
        WriteBatch batch = new WriteBatch().put(bytes, value, options);
        batch.put(Texts.bytes(""), value, options).remove(Texts.bytes("key0"));
        store.apply(batch);
        model.put(key, value);
        model.put("", value);
        model.remove("key0");
      }
      case 4 -> {
        assertEquals(old.isPresent(), store.remove(bytes, PLAIN), key);
        model.remove(key);
      }
      default -> {
        store.put(bytes, value, options);
        model.put(key, value);
      }
    }
  }

  /** Of a length at which a buffer, a window, a group or a unit of length ends, or beside it. */
  private static byte[] value(Random random) {
    int[] edges = {0, 64, 4096, 64 * 1024, 256 * 1024, MEBIBYTE, 4 * MEBIBYTE};
    int edge = edges[random.nextInt(edges.length)];
    byte[] value = new byte[Math.max(0, edge + random.nextInt(-70, 3))];
    Arrays.fill(value, (byte) random.nextInt());
    return value;
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static void compare(String place, Map<String, byte[]> model, KeyValueStore store)
      throws IOException {
    assertEquals(model.size(), store.statistics().keys(), place);
    for (Map.Entry<String, byte[]> each : model.entrySet()) {
      byte[] found = store.get(Texts.bytes(each.getKey())).orElseThrow();
      assertArrayEquals(each.getValue(), found, place + ", " + each.getKey());
    }
  }

  private KeyValueStore open() throws IOException {
    return open(PosixPath.of(temporary.resolve("store")));
  }
}
