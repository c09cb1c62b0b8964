package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.LinuxFileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.Durability;
import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.NotANumberException;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data-file store on a real file system. */
class DataFileStoreTest {
  private static final WriteOptions PLAIN = WriteOptions.defaults();

  private final FileCalls calls = LinuxFileCalls.create();
  private final AtomicLong now = new AtomicLong(1_000_000);

  @TempDir Path temporary;

  @Test
  void givesBackWhatWasPutAfterReopening() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "a", "1");
      put(store, "b", "2");
      put(store, "a", "3");
      put(store, "", "empty key");
      put(store, "c", "");
      store.remove(bytes("b"));
      assertEquals(Optional.of("3"), get(store, "a"));
      assertEquals(Optional.empty(), get(store, "b"));
    }
    try (KeyValueStore store = open()) {
      assertEquals(Map.of("a", "3", "", "empty key", "c", ""), Texts.contents(store));
      assertEquals(3, store.statistics().keys());
      put(store, "d", "4");
    }
    try (KeyValueStore store = open()) {
      assertEquals(Map.of("a", "3", "", "empty key", "c", "", "d", "4"), Texts.contents(store));
    }
  }

  @Test
  void numbersVersionsAndSetsOnlyTheExpectedOne() throws IOException {
    try (KeyValueStore store = open()) {
      long first = store.put(bytes("a"), bytes("1"), PLAIN);
      assertEquals(first, store.find(bytes("a")).orElseThrow().version());
      long second = store.compareAndSet(bytes("a"), first, bytes("2"), PLAIN).orElseThrow();
      assertTrue(second > first);
      assertEquals(OptionalLong.empty(), store.compareAndSet(bytes("a"), first, bytes("3"), PLAIN));
      assertEquals(OptionalLong.empty(), store.putIfAbsent(bytes("a"), bytes("3"), PLAIN));
      assertTrue(store.putIfAbsent(bytes("b"), bytes("3"), PLAIN).isPresent());
      assertFalse(store.compareAndRemove(bytes("a"), first, PLAIN));
      assertTrue(store.compareAndRemove(bytes("a"), second, PLAIN));
      assertFalse(store.remove(bytes("a"), PLAIN));
      assertTrue(store.remove(bytes("b"), PLAIN));
    }
    try (KeyValueStore store = open()) {
      assertEquals(Map.of(), Texts.contents(store));
      assertEquals(6, store.put(bytes("x"), bytes("y"), PLAIN), "goes on counting");
    }
  }

  @Test
  void incrementsAndAppends() throws IOException {
    try (KeyValueStore store = open()) {
      assertEquals(5, store.increment(bytes("n"), 5, PLAIN));
      assertEquals(3, store.increment(bytes("n"), -2, PLAIN));
      assertEquals(Optional.of("3"), get(store, "n"));
      store.append(bytes("s"), bytes("ab"), PLAIN);
      store.append(bytes("s"), bytes("cd"), PLAIN);
      assertEquals(Optional.of("abcd"), get(store, "s"));
      assertThrows(NotANumberException.class, () -> store.increment(bytes("s"), 1, PLAIN));
      put(store, "n", "" + Long.MAX_VALUE);
      assertThrows(NotANumberException.class, () -> store.increment(bytes("n"), 1, PLAIN));
      put(store, "after", "refusals");
    }
  }

  @Test
  void keepsTagsAndExpiryAndForgetsWhatHasExpired() throws IOException {
    WriteOptions options =
        PLAIN.withTimeToLive(Duration.ofSeconds(10)).withTags(Set.of("red", "gr\u00fcn"));
    try (KeyValueStore store = open()) {
      store.put(bytes("a"), bytes("1"), options);
      store.increment(bytes("a"), 1, PLAIN);
    }
    try (KeyValueStore store = open()) {
      Entry entry = store.find(bytes("a")).orElseThrow();
      assertEquals("2", Texts.text(entry.value()));
      assertEquals(Set.of("red", "gr\u00fcn"), entry.tags());
      assertEquals(OptionalLong.of(1_010_000), entry.expiresAtMillis());
      now.addAndGet(9_999);
      assertTrue(get(store, "a").isPresent());
      now.addAndGet(1);
      assertEquals(Optional.empty(), get(store, "a"));
      assertEquals(Map.of(), Texts.contents(store));
      assertEquals(1, store.increment(bytes("a"), 1, PLAIN), "begins anew");
      assertTrue(store.find(bytes("a")).orElseThrow().expiresAtMillis().isEmpty());
    }
  }

  @Test
  void keepsTheLongestKeyAndValueAndRefusesLongerOnes() throws IOException {
    byte[] key = new byte[KeyValueStore.MAX_KEY_BYTES];
    byte[] value = new byte[KeyValueStore.MAX_VALUE_BYTES];
    new Random(1).nextBytes(value);
    try (KeyValueStore store = open()) {
      store.put(key, value);
      assertArrayEquals(value, store.get(key).orElseThrow());
      assertThrows(
          IllegalArgumentException.class,
          () -> store.put(bytes("a"), new byte[KeyValueStore.MAX_VALUE_BYTES + 1]));
      assertThrows(
          IllegalArgumentException.class, () -> store.put(new byte[key.length + 1], bytes("a")));
      assertThrows(IllegalArgumentException.class, () -> store.append(key, bytes("a"), PLAIN));
    }
    try (KeyValueStore store = open()) {
      assertArrayEquals(value, store.get(key).orElseThrow());
    }
  }

  @Test
  void makesBatchesOfRepeatedKeysInOrder() throws IOException {
    try (KeyValueStore store = open()) {
      store.apply(
          new WriteBatch()
              .put(bytes("a"), bytes("1"))
              .remove(bytes("a"))
              .remove(bytes("never"))
              .put(bytes("a"), bytes("2"))
              .put(bytes("b"), bytes("3"), PLAIN.withTags(Set.of("t"))));
      store.apply(new WriteBatch());
      assertEquals(Map.of("a", "2", "b", "3"), Texts.contents(store));
      assertEquals(Set.of("t"), store.find(bytes("b")).orElseThrow().tags());
    }
    try (KeyValueStore store = open()) {
      assertEquals(Map.of("a", "2", "b", "3"), Texts.contents(store));
    }
  }

  @Test
  void readsWritesThatAreStillInMemory() throws IOException {
    DataFileOptions options =
        options().withDurability(Durability.NONE).withWriteWithin(Duration.ofHours(1));
    Map<String, String> model = new TreeMap<>();
    try (KeyValueStore store = DataFileStore.open(calls, directory(), options)) {
      Random random = new Random(5);
      for (int i = 0; i < 3000; i++) {
        // Some are longer than the buffer.
        byte[] value = new byte[i % 500 == 0 ? 3_000_000 : random.nextInt(2000)];
        random.nextBytes(value);
        String key = "key" + random.nextInt(300);
        store.put(bytes(key), value);
        model.put(key, Texts.text(value));
        assertArrayEquals(value, store.get(bytes(key)).orElseThrow());
      }
      assertEquals(model, Texts.contents(store));
    }
    try (KeyValueStore store = open()) {
      assertEquals(model, Texts.contents(store));
    }
  }

  @Test
  void tellsKeysOfOneHashApartAlsoAfterReopening() throws IOException {
    for (long seed = 1; seed <= 5; seed++) {
      Random random = new Random(seed);
      PosixPath directory = PosixPath.of(temporary.resolve("weak" + seed));
      Map<String, String> model = new TreeMap<>();
      for (int round = 0; round < 6; round++) {
        try (KeyValueStore store = openWeak(directory)) {
          assertEquals(model, Texts.contents(store), "seed " + seed);
          for (int i = 0; i < 200; i++) {
            String key = "key" + random.nextInt(40);
            if (random.nextInt(3) == 0) {
              store.remove(bytes(key), PLAIN.withDurability(Durability.NONE));
              model.remove(key);
            } else {
              String value = "value" + i;
              store.put(bytes(key), bytes(value), PLAIN.withDurability(Durability.NONE));
              model.put(key, value);
            }
            String any = "key" + random.nextInt(40);
            assertEquals(Optional.ofNullable(model.get(any)), get(store, any), "seed " + seed);
          }
        }
        if (round % 2 == 0) {
          Files.deleteIfExists(temporary.resolve("weak" + seed).resolve("index"));
        }
      }
    }
  }

  @Test
  void refusesASecondOpeningAndEverythingOnceClosed() throws IOException {
    KeyValueStore store = open();
    assertThrows(StoreLockedException.class, this::open);
    store.close();
    store.close();
    assertThrows(IllegalStateException.class, () -> store.get(bytes("a")));
    assertThrows(IllegalStateException.class, () -> store.put(bytes("a"), bytes("b")));
    assertThrows(IllegalStateException.class, () -> store.apply(new WriteBatch()));
    assertThrows(IllegalStateException.class, store::statistics);
  }

  private KeyValueStore openWeak(PosixPath directory) throws IOException {
    return DataFileStore.open(
        calls,
        directory,
        options().withSegmentBytes(8192),
        store -> key -> (key.length > 4 ? key[4] : 0) % 4L);
  }

  private DataFileOptions options() {
    return DataFileOptions.defaults().withClock(() -> Instant.ofEpochMilli(now.get()));
  }

  private KeyValueStore open() throws IOException {
    return DataFileStore.open(calls, directory(), options());
  }

  private PosixPath directory() {
    return PosixPath.of(temporary.resolve("store"));
  }

  private static void put(KeyValueStore store, String key, String value) throws IOException {
    store.put(bytes(key), bytes(value));
  }

  private static Optional<String> get(KeyValueStore store, String key) throws IOException {
    return store.get(bytes(key)).map(Texts::text);
  }

  private static byte[] bytes(String text) {
    return Texts.bytes(text);
  }
}
