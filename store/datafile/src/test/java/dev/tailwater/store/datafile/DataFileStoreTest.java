package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
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
  void keepsWritesInMemoryForAnyTime() throws IOException {
    for (Duration within : List.of(Duration.ofDays(200_000), Duration.ofSeconds(Long.MAX_VALUE))) {
      DataFileOptions options = options().withDurability(Durability.NONE).withWriteWithin(within);
      try (KeyValueStore store = DataFileStore.open(calls, directory(), options)) {
        store.put(bytes(within.toString()), bytes("value"));
      }
    }
    try (KeyValueStore store = open()) {
      assertEquals(2, Texts.contents(store).size());
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
        options().withFileBytes(8192),
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

  private static Optional<String> get(KeyValueStore store, String key) throws IOException {
    return store.get(bytes(key)).map(Texts::text);
  }

  private static byte[] bytes(String text) {
    return Texts.bytes(text);
  }

  @Test
  void theLongestTimeToLiveIsKept() throws IOException {
    byte[] key = {1};
    InstantSource clock = () -> Instant.parse("2500-01-01T00:00:00Z");
    WriteOptions longest = WriteOptions.defaults().withTimeToLive(WriteOptions.MAX_TIME_TO_LIVE);
    long expiresAtMillis = clock.millis() + WriteOptions.MAX_TIME_TO_LIVE.toMillis();
    try (KeyValueStore store =
        DataFileStore.open(
            new SimulatedFileSystem().calls(),
            SimulatedFileSystem.STORE,
            DataFileOptions.defaults().withClock(clock))) {
      store.put(key, key, longest);
      assertEquals(expiresAtMillis, store.find(key).orElseThrow().expiresAtMillis().orElseThrow());
      assertEquals(0, store.purgeExpired(10, entry -> {}));
    }
  }
}
