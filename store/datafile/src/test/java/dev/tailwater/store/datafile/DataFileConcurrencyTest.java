package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.Durability;
import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreStatistics;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many threads at once, platform and virtual, on a real file system. */
class DataFileConcurrencyTest {
  private static final WriteOptions GROUP =
      WriteOptions.defaults().withDurability(Durability.GROUP);
  private static final WriteOptions NONE = WriteOptions.defaults().withDurability(Durability.NONE);
  private static final int KEYS = 50;

  @TempDir Path temporary;

  @Test
  void losesNoIncrementOfManyThreadsOfAllDurabilities() throws Exception {
    int writers = 16;
    int increments = 60;
    try (KeyValueStore store = open(64 * 1024);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> done = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        int number = writer;
        done.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < increments; i++) {
                    store.increment(key(i % 3), 1, (i + number) % 2 == 0 ? GROUP : NONE);
                  }
                  return null;
                }));
      }
      await(done);
      StoreStatistics statistics = store.statistics();
      assertTrue(
          statistics.commits() < writers * increments / 2, "syncs are shared: " + statistics);
    }
    try (KeyValueStore store = open(64 * 1024)) {
      for (int i = 0; i < 3; i++) {
        assertEquals("" + writers * increments / 3, Texts.text(store.get(key(i)).orElseThrow()));
      }
    }
  }

  @Test
  void letsOnlyOneOfThoseWhoCompareAndSetOneVersionWin() throws Exception {
    try (KeyValueStore store = open(1024 * 1024);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int round = 0; round < 30; round++) {
        long version = store.find(key(0)).map(Entry::version).orElse(0L);
        List<Future<OptionalLong>> results = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          byte[] value = Texts.bytes(round + "/" + i);
          WriteOptions options = i % 2 == 0 ? GROUP : NONE;
          results.add(threads.submit(() -> store.compareAndSet(key(0), version, value, options)));
        }
        List<OptionalLong> won = new ArrayList<>();
        for (Future<OptionalLong> result : results) {
          if (result.get().isPresent()) {
            won.add(result.get());
          }
        }
        assertEquals(1, won.size());
        assertEquals(won.getFirst().getAsLong(), store.find(key(0)).orElseThrow().version());
      }
    }
  }

  /** A value holds its key's number, and a counter that the one writer of the key counts up. */
  @Test
  void readersSeeOnlyWholeValuesOfTheirKeyAndNeverAnOlderOneAfterANewerOne() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (KeyValueStore store = open(256 * 1024);
        ExecutorService threads = Executors.newFixedThreadPool(6)) {
      List<Future<?>> writers = new ArrayList<>();
      for (int writer = 0; writer < 2; writer++) {
        int number = writer;
        writers.add(
            threads.submit(
                () -> {
                  write(store, number);
                  return null;
                }));
      }
      List<Future<?>> readers = new ArrayList<>();
      for (int reader = 0; reader < 3; reader++) {
        int seed = reader;
        readers.add(
            threads.submit(
                () -> {
                  read(store, seed, done);
                  return null;
                }));
      }
      await(writers);
      done.set(true);
      await(readers);
    }
  }

  private static void write(KeyValueStore store, int number) throws IOException {
    Random random = new Random(number);
    for (int i = 1; i <= 4000; i++) {
      int key = 2 * random.nextInt(KEYS / 2) + number;
      String value = key + ":" + i + ":" + ("" + key).repeat(random.nextInt(400));
      if (random.nextInt(20) == 0) {
        store.remove(key(key), NONE);
      } else {
        store.put(key(key), Texts.bytes(value), random.nextInt(30) == 0 ? GROUP : NONE);
      }
    }
  }

  private static void read(KeyValueStore store, int seed, AtomicBoolean done) throws IOException {
    Random random = new Random(seed);
    int[] newest = new int[KEYS];
    long[] version = new long[KEYS];
    while (!done.get()) {
      int key = random.nextInt(KEYS);
      Optional<Entry> found = store.find(key(key));
      if (found.isPresent()) {
        String[] parts = Texts.text(found.get().value()).split(":", -1);
        assertEquals("" + key, parts[0]);
        assertEquals("", parts[2].replace("" + key, ""));
        int counter = Integer.parseInt(parts[1]);
        assertTrue(counter >= newest[key], counter + " after " + newest[key]);
        assertTrue(found.get().version() >= version[key]);
        newest[key] = counter;
        version[key] = found.get().version();
      }
    }
  }

  @Test
  void nobodySeesAKeyBetweenItsRemovalAndItsPutInOneBatch() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (KeyValueStore store = open(1024 * 1024);
        ExecutorService threads = Executors.newFixedThreadPool(1)) {
      store.put(key(0), Texts.bytes("0"), NONE);
      Future<?> reader =
          threads.submit(
              () -> {
                while (!done.get()) {
                  assertTrue(store.get(key(0)).isPresent());
                }
                return null;
              });
      try {
        for (int i = 0; i < 20_000; i++) {
          WriteBatch batch = new WriteBatch().remove(key(0)).put(key(0), Texts.bytes("" + i));
          store.apply(batch, i % 500 == 0 ? GROUP : NONE);
        }
      } finally {
        done.set(true);
      }
      reader.get();
    }
  }

  private static void await(List<Future<?>> futures)
      throws InterruptedException, ExecutionException {
    for (Future<?> future : futures) {
      future.get();
    }
  }

  private static byte[] key(int number) {
    return Texts.bytes("key" + number);
  }

  private KeyValueStore open(int fileBytes) throws IOException {
    return DataFileStore.open(
        LinuxFileCalls.create(),
        PosixPath.of(temporary.resolve("store")),
        DataFileOptions.defaults().withFileBytes(fileBytes));
  }
}
