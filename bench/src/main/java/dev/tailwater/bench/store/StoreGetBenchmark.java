package dev.tailwater.bench.store;

import dev.tailwater.bench.file.Fio;
import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.read.PageCache;
import dev.tailwater.lab.store.StoreRecords;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.datafile.read.ReadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench store-get}: gets from data files, hot and cold. Hot: everything is in the page cache
 * and was read before. Cold: the page cache is empty, and the first seconds are counted, by threads
 * that get one value at a time, and by {@code getAll}; beside fio with as many reads in flight.
 */
@Command(name = "store-get", description = "Gets from data files, beside fio(1) when cold.")
public final class StoreGetBenchmark implements Callable<Integer> {
  private static final int[] HOT_THREADS = {1, 2};
  private static final int[] COLD_THREADS = {2, 32};
  private static final int AT_ONCE = 64;
  private static final int KEYS_OF_GET_ALL = 1000;
  private static final int BLOCK_BYTES = 4096;
  private static final int FIO_DEPTH = 32;

  @Option(names = "--work", required = true, paramLabel = "DIR", description = "A directory.")
  private Path work = Path.of("");

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "Of each cold run; hot ones take three times as long (default: ${DEFAULT-VALUE}).")
  private int seconds = 1;

  @Option(names = "--keys", paramLabel = "N", description = "Keys (default: ${DEFAULT-VALUE}).")
  private long keys = 5_000_000;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      description = "Length of a value (default: ${DEFAULT-VALUE}).")
  private int valueBytes = 100;

  @Option(names = "--unmapped", description = "Read by system calls only.")
  private boolean unmapped;

  @Option(
      names = "--direct",
      description = "Read what is cold past the page cache, as fio then does.")
  private boolean direct;

  @Option(
      names = "--cache-mib",
      paramLabel = "N",
      description = "The store's own cache (default: ${DEFAULT-VALUE}).")
  private int cacheMebibytes = 16;

  private final FileCalls calls = LinuxFileCalls.create();
  private final Map<String, Samples> perSecond = new LinkedHashMap<>();
  private final Map<String, Samples> toFio = new LinkedHashMap<>();

  @Override
  public Integer call() throws Exception {
    Path root = Files.createDirectories(work).toRealPath();
    Path directory = root.resolve("store-get");
    Path fioFile = root.resolve("store-get-fio");
    StoreRecords records = new StoreRecords(valueBytes);
    RunReport report =
        new RunReport("store-get", work, ProgramOptions.directories(runs))
            .condition("rounds", rounds)
            .condition("coldSeconds", seconds)
            .condition("keys", keys)
            .condition("valueBytes", valueBytes)
            .condition("options", String.valueOf(options().reads()));
    try {
      load(directory, records);
      Fio fio = new Fio(fioFile, dataBytes(directory));
      fio.layOut();
      for (int round = 0; round < rounds; round++) {
        hot(directory, records, round);
        cold(directory, records, fio, round);
      }
    } finally {
      ProgramOptions.delete(directory);
      Files.deleteIfExists(fioFile);
    }
    report.result("perSecond", perSecond);
    report.result("toFio", toFio);
    report.finish();
    return 0;
  }

  private DataFileOptions options() {
    return DataFileOptions.defaults()
        .withReads(new ReadOptions(!unmapped, direct, (long) cacheMebibytes << 20));
  }

  private KeyValueStore open(Path directory) throws IOException {
    return DataFileStore.open(calls, PosixPath.of(directory), options());
  }

  private void load(Path directory, StoreRecords records) throws IOException {
    ProgramOptions.delete(directory);
    try (KeyValueStore store = open(directory)) {
      Iterator<BulkPut> puts =
          LongStream.range(0, keys)
              .mapToObj(number -> BulkPut.of(records.key(number), records.value(number, 0)))
              .iterator();
      store.putAll(() -> puts, WriteOptions.defaults().withDurability(Durability.NONE));
    }
  }

  private void hot(Path directory, StoreRecords records, int round) throws Exception {
    for (Path file : dataFiles(directory)) {
      try (InputStream in = Files.newInputStream(file)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
    }
    try (KeyValueStore store = open(directory)) {
      gets(store, records, 2, 3L * seconds, round, AT_ONCE); // compiles, and maps
      for (int threads : HOT_THREADS) {
        double rate = gets(store, records, threads, 3L * seconds, 100 + round, AT_ONCE);
        sample("hot get, threads " + threads, rate);
      }
      System.err.println("  " + store.statistics().reads());
    }
  }

  private void cold(Path directory, StoreRecords records, Fio fio, int round) throws Exception {
    for (int threads : COLD_THREADS) {
      double theirs = fio.read(BLOCK_BYTES, threads, direct, seconds).readsPerSecond();
      sample("fio, depth " + threads, theirs);
      dropPageCache(directory);
      try (KeyValueStore store = open(directory)) {
        double rate = gets(store, records, threads, seconds, 200 + round, 1);
        sample("cold get, threads " + threads, rate);
        ratio("cold get, threads " + threads, rate / theirs);
      }
    }
    double theirs = fio.read(BLOCK_BYTES, FIO_DEPTH, direct, seconds).readsPerSecond();
    dropPageCache(directory);
    try (KeyValueStore store = open(directory)) {
      double rate = getAll(store, records, 300 + round);
      sample("cold getAll, threads 1", rate);
      ratio("cold getAll, threads 1", rate / theirs);
    }
  }

  /** Gets random keys, and looks at the clock every so many. */
  private double gets(
      KeyValueStore store, StoreRecords records, int threads, long forSeconds, int seed, int atOnce)
      throws Exception {
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(forSeconds);
    long done = 0;
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<Long>> parts = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        SplittableRandom random = new SplittableRandom((long) seed << 32 | i);
        parts.add(executor.submit(() -> getUntil(store, records, random, end, atOnce)));
      }
      for (Future<Long> part : parts) {
        done += part.get();
      }
    }
    return done * 1e9 / (System.nanoTime() - begin);
  }

  private long getUntil(
      KeyValueStore store, StoreRecords records, SplittableRandom random, long end, int atOnce)
      throws IOException {
    long done = 0;
    while (System.nanoTime() - end < 0) {
      for (int i = 0; i < atOnce; i++) {
        long number = random.nextLong(keys);
        check(records, number, store.get(records.key(number)));
      }
      done += atOnce;
    }
    return done;
  }

  private double getAll(KeyValueStore store, StoreRecords records, int seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(seconds);
    long done = 0;
    while (System.nanoTime() - end < 0) {
      long[] numbers = random.longs(KEYS_OF_GET_ALL, 0, keys).toArray();
      List<byte[]> wanted = LongStream.of(numbers).mapToObj(records::key).toList();
      List<Optional<byte[]>> values = store.getAll(wanted);
      for (int i = 0; i < numbers.length; i++) {
        check(records, numbers[i], values.get(i));
      }
      done += numbers.length;
    }
    return done * 1e9 / (System.nanoTime() - begin);
  }

  private static void check(StoreRecords records, long number, Optional<byte[]> value) {
    if (value.isEmpty() || !records.isRight(number, value.get())) {
      throw new IllegalStateException("key " + number + " has another value");
    }
  }

  private void dropPageCache(Path directory) throws IOException {
    for (Path file : dataFiles(directory)) {
      try (Descriptor descriptor =
          Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, PosixPath.of(file), Set.of())) {
        PageCache cache = PageCache.of(descriptor);
        cache.writeBackAndDrop(cache.wholeFile());
      }
    }
  }

  private static long dataBytes(Path directory) throws IOException {
    long bytes = 0;
    for (Path file : dataFiles(directory)) {
      bytes += Files.size(file);
    }
    return bytes / BLOCK_BYTES * BLOCK_BYTES;
  }

  private static List<Path> dataFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.getFileName().toString().startsWith("data-")).toList();
    }
  }

  private void sample(String what, double rate) {
    perSecond.computeIfAbsent(what, _ -> new Samples()).add(rate);
    System.err.printf(Locale.ROOT, "%-26s %,12.0f/s%n", what, rate);
  }

  private void ratio(String what, double ratio) {
    toFio.computeIfAbsent(what, _ -> new Samples()).add(ratio);
    System.err.printf(Locale.ROOT, "%-26s %12.2f x fio%n", what, ratio);
  }
}
