package dev.tailwater.store.datafile.vacuum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.Durability;
import dev.tailwater.store.StoreStatistics;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.simulated.Eventually;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Soak;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Over many times the store's length, whatever is written: the files are not longer than the bound
 * and the constant that {@link VacuumOptions} states, and what is copied is in proportion to what
 * was written. Then readers and writers on a real file system, while the vacuum runs.
 */
class VacuumBoundTest {
  private static final int SEGMENT_BYTES = 16 * 1024;
  private static final WriteOptions NONE = WriteOptions.defaults().withDurability(Durability.NONE);

  @TempDir Path temporary;

  /** Writes, and knows what must be there. */
  @FunctionalInterface
  private interface Workload {
    void write(Writes to, Random random, int number) throws IOException;
  }

  @Test
  void overwritingWithoutOrder() throws IOException {
    run(8000, (to, random, number) -> to.put("key" + random.nextInt(400), 200));
  }

  @Test
  void overwritingMostlyAFew() throws IOException {
    run(
        8000,
        (to, random, number) ->
            to.put(
                "key" + (random.nextInt(10) < 9 ? random.nextInt(20) : random.nextInt(600)), 200));
  }

  @Test
  void aQueue() throws IOException {
    run(
        8000,
        (to, random, number) -> {
          to.put("key" + number, 200);
          to.remove("key" + (number - 100));
        });
  }

  /** Removals are nearly all that is written, and a file that is hardly ever written hides them. */
  @Test
  void puttingAndRemovingSmallOnesBesideLargeOnesThatStay() throws IOException {
    run(
        16_000,
        (to, random, number) -> {
          if (number < 200) {
            to.put("large" + number, 600);
          } else {
            to.put("small" + number, 0);
            to.remove("small" + number);
            if (number % 500 == 0) {
              to.put("large" + random.nextInt(200), 600);
            }
          }
        });
  }

  @Test
  void removingAllInTurnAndPuttingThemAgain() throws IOException {
    run(
        10_000,
        (to, random, number) -> {
          String key = "key" + number % 300;
          if (number / 300 % 2 == 0) {
            to.put(key, 150);
          } else {
            to.remove(key);
          }
        });
  }

  private static void run(int usualWrites, Workload workload) throws IOException {
    int count = Soak.rounds(usualWrites, 20 * usualWrites);
    SimulatedFileSystem files = new SimulatedFileSystem();
    Random random = new Random(1);
    ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    DataFileOptions options =
        DataFileOptions.defaults()
            .withFileBytes(SEGMENT_BYTES)
            .withBackground(tasks::add)
            .withWriteWithin(Duration.ofHours(1))
            .withVacuum(VacuumOptions.defaults().withBytesPerSecond(Long.MAX_VALUE))
            .withRandom(new Random(2));
    Map<String, String> model = new TreeMap<>();
    DataFileStore store = DataFileStore.open(files.calls(), SimulatedFileSystem.STORE, options);
    Writes to = new Writes(store, model, random);
    for (int number = 0; number < count; number++) {
      workload.write(to, random, number);
      // As if there were a thread for them that is as fast as this one.
      while (!tasks.isEmpty()) {
        tasks.remove().run();
      }
      if (number % 200 == 0) {
        check(store.statistics(), model, number);
      }
    }
    assertEquals(model, Texts.contents(store));
    StoreStatistics statistics = store.statistics();
    assertEquals(Optional.empty(), statistics.vacuum().lastFailure());
    assertTrue(statistics.vacuum().rewrittenFiles() > 10, statistics.toString());
    assertTrue(
        statistics.vacuum().writtenBytes() < 5 * to.writtenBytes,
        () -> to.writtenBytes + " written: " + statistics);
    closing(store, tasks);
  }

  private static void closing(DataFileStore store, ArrayDeque<Runnable> tasks) throws IOException {
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<?> closed =
          thread.submit(
              () -> {
                store.close();
                return null;
              });
      Eventually.until(
          () -> {
            Runnable task = tasks.poll();
            if (task != null) {
              task.run();
            }
            return closed.isDone();
          },
          () -> "the store does not close");
    }
  }

  private static void check(StoreStatistics statistics, Map<String, String> model, int number) {
    long liveBytes = 0;
    for (Map.Entry<String, String> entry : model.entrySet()) {
      liveBytes += 24L + entry.getKey().length() + entry.getValue().length();
    }
    long mostBytes = (long) (1.5 * liveBytes) + 3 * SEGMENT_BYTES;
    assertTrue(
        statistics.logBytes() <= mostBytes,
        () -> "write " + number + ": at most " + mostBytes + " but " + statistics);
  }

  private static final class Writes {
    private final DataFileStore store;
    private final Map<String, String> model;
    private final Random random;
    private long writtenBytes;

    Writes(DataFileStore store, Map<String, String> model, Random random) {
      this.store = store;
      this.model = model;
      this.random = random;
    }

    void put(String key, int usualBytes) throws IOException {
      String value = "x".repeat(random.nextInt(2 * usualBytes + 1));
      store.put(Texts.bytes(key), Texts.bytes(value), NONE);
      model.put(key, value);
      writtenBytes += 24L + key.length() + value.length();
    }

    void remove(String key) throws IOException {
      assertEquals(model.remove(key) != null, store.remove(Texts.bytes(key), NONE));
      writtenBytes += 24L + key.length();
    }
  }

  /** A value holds its key's number, and a counter that the one writer of the key counts up. */
  @Test
  void readersAndWritersGoOnWhileFilesAreReplacedUnderThem() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    PosixPath directory = PosixPath.of(temporary.resolve("store"));
    DataFileOptions options =
        DataFileOptions.defaults()
            .withFileBytes(32 * 1024)
            .withVacuum(
                VacuumOptions.defaults()
                    .withMaxSpaceAmplification(1.2)
                    .withBytesPerSecond(Long.MAX_VALUE));
    int rounds = Soak.rounds(12_000, 400_000);
    List<Map<Integer, Integer>> written = new ArrayList<>();
    try (DataFileStore store = DataFileStore.open(LinuxFileCalls.create(), directory, options);
        ExecutorService threads = Executors.newFixedThreadPool(5)) {
      List<Future<Map<Integer, Integer>>> writers = new ArrayList<>();
      for (int writer = 0; writer < 2; writer++) {
        int number = writer;
        writers.add(threads.submit(() -> write(store, number, rounds)));
      }
      List<Future<?>> readers = new ArrayList<>();
      for (int reader = 0; reader < 2; reader++) {
        int seed = reader;
        readers.add(
            threads.submit(
                () -> {
                  read(store, seed, done);
                  return null;
                }));
      }
      readers.add(
          threads.submit(
              () -> {
                while (!done.get()) {
                  store.vacuum();
                }
                return null;
              }));
      for (Future<Map<Integer, Integer>> writer : writers) {
        written.add(writer.get());
      }
      done.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }
      assertTrue(hasReplacedEnough(store));
      assertEquals(Optional.empty(), store.statistics().vacuum().lastFailure());
      checkAll(store, written);
    }
    try (DataFileStore store = DataFileStore.open(LinuxFileCalls.create(), directory, options)) {
      checkAll(store, written);
    }
  }

  /** On a busy machine the vacuum gets less of it than the writers do. */
  private static boolean hasReplacedEnough(DataFileStore store) {
    return store.statistics().vacuum().rewrittenFiles() > 20;
  }

  private static Map<Integer, Integer> write(DataFileStore store, int number, int rounds)
      throws IOException {
    Random random = new Random(number);
    Map<Integer, Integer> newest = new TreeMap<>();
    for (int i = 1; i <= rounds || (i <= 20 * rounds && !hasReplacedEnough(store)); i++) {
      int key = 2 * random.nextInt(100) + number;
      WriteOptions options =
          random.nextInt(200) == 0 ? NONE.withDurability(Durability.GROUP) : NONE;
      if (random.nextInt(4) == 0) {
        store.remove(Texts.bytes("key" + key), options);
        newest.remove(key);
      } else {
        String value = key + ":" + i + ":" + "x".repeat(random.nextInt(300));
        store.put(Texts.bytes("key" + key), Texts.bytes(value), options);
        newest.put(key, i);
      }
    }
    return newest;
  }

  private static void read(DataFileStore store, int seed, AtomicBoolean done) throws IOException {
    Random random = new Random(seed);
    int[] newest = new int[200];
    while (!done.get()) {
      int key = random.nextInt(200);
      Optional<byte[]> found = store.get(Texts.bytes("key" + key));
      if (found.isPresent()) {
        String[] parts = Texts.text(found.get()).split(":", -1);
        assertEquals("" + key, parts[0]);
        int counter = Integer.parseInt(parts[1]);
        assertTrue(counter >= newest[key], counter + " after " + newest[key]);
        newest[key] = counter;
      }
    }
  }

  private static void checkAll(DataFileStore store, List<Map<Integer, Integer>> written)
      throws IOException {
    Map<Integer, Integer> found = new TreeMap<>();
    store.forEach(
        new byte[0],
        (key, value) -> {
          String[] parts = Texts.text(value).split(":", -1);
          found.put(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
        });
    Map<Integer, Integer> expected = new TreeMap<>();
    written.forEach(expected::putAll);
    assertEquals(expected, found);
  }
}
