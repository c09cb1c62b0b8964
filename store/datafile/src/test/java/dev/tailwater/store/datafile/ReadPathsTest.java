package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.read.PageCache;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.ReadStatistics;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.read.ReadOptions;
import dev.tailwater.store.simulated.Eventually;
import dev.tailwater.store.simulated.Soak;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every way of reading gives what was written, on a real file system. More seeds: {@code
 * -Dtailwater.soak=true}.
 */
class ReadPathsTest {
  private static final WriteOptions NONE = WriteOptions.defaults().withDurability(Durability.NONE);
  private static final int KEYS = 300;

  private final FileCalls calls = LinuxFileCalls.create();

  @TempDir Path temporary;

  static Stream<ReadOptions> ways() {
    return Stream.of(true, false)
        .flatMap(mapped -> Stream.of(true, false).map(direct -> new ReadOptions(mapped, direct, 0)))
        .flatMap(way -> Stream.of(way, way.withCacheBytes(200_000)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void givesWhatWasWrittenWhileThePageCacheIsDroppedAgainAndAgain(ReadOptions way)
      throws Exception {
    long first = Soak.firstSeed();
    for (long seed = first; seed < first + Soak.rounds(1, 10); seed++) {
      Random random = new Random(seed);
      Map<String, String> model = new TreeMap<>();
      for (int round = 0; round < 3; round++) {
        try (DataFileStore store = open(way)) {
          for (int step = 0; step < 400; step++) {
            write(store, model, random);
            readSome(store, model, random, way + ", seed " + seed);
            if (step % 80 == 0) {
              dropPageCache();
            }
          }
          assertEquals(model, Texts.contents(store), way + ", seed " + seed);
        }
      }
      deleteStore();
    }
  }

  private static void write(KeyValueStore store, Map<String, String> model, Random random)
      throws IOException {
    String key = "key" + random.nextInt(KEYS);
    if (random.nextInt(10) == 0) {
      store.remove(Texts.bytes(key), NONE);
      model.remove(key);
    } else {
      byte[] value = new byte[random.nextInt(30) == 0 ? 150_000 : random.nextInt(6000)];
      random.nextBytes(value);
      store.put(Texts.bytes(key), value, random.nextInt(30) == 0 ? WriteOptions.defaults() : NONE);
      model.put(key, Texts.text(value));
    }
  }

  private static void readSome(
      DataFileStore store, Map<String, String> model, Random random, String message)
      throws Exception {
    String one = "key" + random.nextInt(KEYS);
    Optional<String> expected = Optional.ofNullable(model.get(one));
    assertEquals(expected, store.get(Texts.bytes(one)).map(Texts::text), message);
    FutureTask<Optional<byte[]>> virtually = new FutureTask<>(() -> store.get(Texts.bytes(one)));
    Thread.startVirtualThread(virtually);
    assertEquals(expected, virtually.get().map(Texts::text), message);
    if (random.nextInt(20) == 0) {
      List<byte[]> keys = new ArrayList<>();
      List<CompletableFuture<Optional<byte[]>>> later = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        byte[] key = Texts.bytes("key" + random.nextInt(KEYS));
        keys.add(key);
        later.add(getAsync(store, key));
      }
      List<Optional<byte[]>> values = store.getAll(keys);
      for (int i = 0; i < keys.size(); i++) {
        Optional<String> wanted = Optional.ofNullable(model.get(Texts.text(keys.get(i))));
        assertEquals(wanted, values.get(i).map(Texts::text), message);
        assertEquals(wanted, later.get(i).get().map(Texts::text), message);
      }
    }
  }

  @Test
  void readsWhatIsInThePageCacheWithoutASystemCall() throws IOException {
    fill(2000);
    try (DataFileStore store = open(ReadOptions.defaults().withCacheBytes(0))) {
      getUntilMapped(store, 2000);
      ReadStatistics before = store.statistics().reads();
      for (int i = 0; i < 2000; i++) {
        assertArrayEquals(value(i), store.get(key(i)).orElseThrow());
      }
      ReadStatistics after = store.statistics().reads();
      assertTrue(after.mappedReads() - before.mappedReads() > 1900, after::toString);
      assertEquals(Optional.empty(), after.notMapped());
    }
  }

  @Test
  void answersFromItsOwnCacheWhatThePageCacheDoesNotHave() throws IOException {
    fill(2000);
    ReadOptions unmapped = ReadOptions.defaults().withMapped(false);
    try (DataFileStore store = open(unmapped)) {
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++) {
          assertArrayEquals(value(i), store.get(key(i)).orElseThrow());
        }
      }
      dropPageCache();
      ReadStatistics before = store.statistics().reads();
      for (int i = 0; i < 100; i++) {
        assertArrayEquals(value(i), store.get(key(i)).orElseThrow());
      }
      ReadStatistics after = store.statistics().reads();
      assertEquals(before.fileReads(), after.fileReads());
      assertEquals(100, after.cachedReads() - before.cachedReads());
      assertTrue(after.cacheBytes() > 0 && after.cacheBytes() <= unmapped.cacheBytes());
    }
  }

  @Test
  void readsManyRecordsByOneCallWhenItReadsAll() throws IOException {
    fill(2000);
    try (DataFileStore store = open(new ReadOptions(false, false, 0))) {
      long before = store.statistics().reads().fileReads();
      Set<String> seen = new TreeSet<>();
      store.forEach(new byte[0], (key, _) -> seen.add(Texts.text(key)));
      assertEquals(2000, seen.size());
      long reads = store.statistics().reads().fileReads() - before;
      assertTrue(reads <= 2000 / 20, reads + " reads");
    }
  }

  @Test
  void givesTheRightValuesWhenPagesOfWhichItThinksOtherwiseAreGone() throws IOException {
    fill(4000);
    for (int round = 0; round < 3; round++) {
      try (DataFileStore store = open(ReadOptions.defaults().withCacheBytes(0))) {
        readThrough();
        assertTrue(store.get(key(0)).isPresent());
        Eventually.until(
            () -> store.statistics().reads().mappedBytes() > 0, () -> "nothing was mapped");
        dropPageCache(); // pages that nobody has touched through the mapping yet do go
        for (int i = 0; i < 4000; i++) {
          assertArrayEquals(value(i), store.get(key(i)).orElseThrow());
        }
      }
    }
  }

  /** Half of the mapped memory has no file behind it any more: a SIGBUS, were it touched in C. */
  @Test
  void givesEitherTheValueOrDamageWhenSomebodyCutsAFile() throws IOException {
    fill(4000);
    try (DataFileStore store = open(ReadOptions.defaults().withCacheBytes(0))) {
      getUntilMapped(store, 4000);
      for (Path file : dataFiles()) {
        try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
          cut.setLength(cut.length() / 2);
        }
      }
      int whole = 0;
      int damaged = 0;
      for (int i = 0; i < 4000; i++) {
        try {
          assertArrayEquals(value(i), store.get(key(i)).orElseThrow());
          whole++;
        } catch (DamagedStoreException expected) {
          damaged++;
        }
      }
      assertTrue(whole > 1000 && damaged > 1000, whole + " whole, " + damaged + " damaged");
      assertTrue(store.statistics().reads().notMapped().isPresent());
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void getsGoOnWhileFilesFillUpAndEndCleanlyWhenTheStoreIsClosed(ReadOptions way) throws Exception {
    AtomicBoolean closing = new AtomicBoolean();
    DataFileStore store = open(way);
    try (ExecutorService threads = Executors.newFixedThreadPool(4);
        ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < KEYS; i++) {
        store.put(key(i), value(i), NONE);
      }
      List<Future<?>> readers = new ArrayList<>();
      for (int reader = 0; reader < 6; reader++) {
        int seed = reader;
        readers.add(
            (reader % 2 == 0 ? threads : virtual)
                .submit(
                    () -> {
                      getUntilClosed(store, new Random(seed), closing);
                      return null;
                    }));
      }
      for (int i = 0; i < 3000; i++) {
        store.put(key(i % KEYS), value(i % KEYS), NONE);
      }
      closing.set(true);
      store.close();
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }

  private static void getUntilClosed(DataFileStore store, Random random, AtomicBoolean closing)
      throws Exception {
    try {
      while (true) {
        int i = random.nextInt(KEYS);
        switch (random.nextInt(3)) {
          case 0 -> assertArrayEquals(value(i), store.get(key(i)).orElseThrow());
          case 1 -> assertArrayEquals(value(i), getAsync(store, key(i)).get().orElseThrow());
          default -> {
            List<Optional<byte[]>> two = store.getAll(List.of(key(i), key((i + 7) % KEYS)));
            assertArrayEquals(value(i), two.getFirst().orElseThrow());
            assertArrayEquals(value((i + 7) % KEYS), two.getLast().orElseThrow());
          }
        }
      }
    } catch (IllegalStateException closed) {
      assertTrue(closing.get(), closed::toString);
    } catch (ExecutionException closed) {
      assertInstanceOf(IllegalStateException.class, closed.getCause());
      assertTrue(closing.get(), closed::toString);
    }
  }

  private static CompletableFuture<Optional<byte[]>> getAsync(DataFileStore store, byte[] key) {
    return store.async(ForkJoinPool.commonPool()).get(key).toCompletableFuture();
  }

  private void fill(int keys) throws IOException {
    try (DataFileStore store = open(ReadOptions.defaults())) {
      for (int i = 0; i < keys; i++) {
        store.put(key(i), value(i), NONE);
      }
    }
  }

  private static void getUntilMapped(DataFileStore store, int keys) {
    Eventually.until(
        () -> {
          try {
            long before = store.statistics().reads().mappedReads();
            for (int i = 0; i < keys; i++) {
              assertTrue(store.get(key(i)).isPresent());
            }
            return store.statistics().reads().mappedReads() - before > keys * 9L / 10;
          } catch (IOException failed) {
            throw new UncheckedIOException(failed);
          }
        },
        () -> "not mapped: " + store.statistics().reads());
  }

  private void dropPageCache() throws IOException {
    for (Path file : dataFiles()) {
      try (Descriptor descriptor =
          Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, PosixPath.of(file), Set.of())) {
        PageCache cache = PageCache.of(descriptor);
        cache.writeBackAndDrop(cache.wholeFile());
      } catch (ErrnoException gone) {
        assertEquals(Errno.ENOENT, gone.errno()); // the vacuum was faster
      }
    }
  }

  private void readThrough() throws IOException {
    for (Path file : dataFiles()) {
      Files.readAllBytes(file);
    }
  }

  private List<Path> dataFiles() throws IOException {
    try (Stream<Path> files = Files.list(temporary.resolve("store"))) {
      return files.filter(file -> file.getFileName().toString().startsWith("data-")).toList();
    }
  }

  private void deleteStore() throws IOException {
    try (Stream<Path> files = Files.list(temporary.resolve("store"))) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  private DataFileStore open(ReadOptions way) throws IOException {
    return DataFileStore.open(
        calls,
        PosixPath.of(temporary.resolve("store")),
        DataFileOptions.defaults().withFileBytes(512 * 1024).withReads(way));
  }

  private static byte[] key(int number) {
    return Texts.bytes("key" + number);
  }

  private static byte[] value(int number) {
    byte[] value = new byte[number % 500 == 0 ? 5000 : 100 + number % 200];
    new Random(number).nextBytes(value);
    return value;
  }
}
