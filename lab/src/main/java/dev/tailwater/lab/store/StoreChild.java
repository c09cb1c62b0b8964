package dev.tailwater.lab.store;

import dev.tailwater.lab.measure.ClosedLoop;
import dev.tailwater.lab.measure.PageCaches;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.ReadStatistics;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.datafile.read.ReadOptions;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The process that has the store open. Nine of ten gets go to a twentieth of the keys, the others
 * to any.
 *
 * <p>Arguments: directory, number of records, bytes of a value; for a store of data files also:
 * mapped, direct, bytes of cache. Commands: {@code cache} reads all files; {@code get THREADS
 * MILLIS} and {@code getall MILLIS KEYS} answer with the keys per second in each tenth of a second;
 * {@code reads} answers with the numbers of reads from mapped memory, from the cache and by system
 * calls.
 */
public final class StoreChild {
  private static final int LOG_ARGUMENTS = 3;
  private static final int BUCKET_MILLIS = 100;
  private static final int HOT_SHARE = 20;
  private static final long HOT_OF_TEN = 9;

  private final KeyValueStore store;
  private final StoreRecords records;
  private final long count;
  private final AtomicLong nextSeed = new AtomicLong(System.nanoTime());

  private StoreChild(KeyValueStore store, StoreRecords records, long count) {
    this.store = store;
    this.records = records;
    this.count = count;
  }

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    StoreRecords records = new StoreRecords(Integer.parseInt(arguments[2]));
    try (KeyValueStore store = open(directory, arguments);
        BufferedReader commands =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      StoreChild child = new StoreChild(store, records, Long.parseLong(arguments[1]));
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        System.out.println(child.perform(line.split(" ", -1), directory));
      }
    }
  }

  private static KeyValueStore open(Path directory, String[] arguments) throws IOException {
    PosixPath path = PosixPath.of(directory);
    if (arguments.length == LOG_ARGUMENTS) {
      return TransactionLogStore.open(LinuxFileCalls.create(), path, StoreOptions.defaults());
    }
    ReadOptions reads =
        new ReadOptions(
            Boolean.parseBoolean(arguments[3]),
            Boolean.parseBoolean(arguments[4]),
            Long.parseLong(arguments[5]));
    return DataFileStore.open(
        LinuxFileCalls.create(), path, DataFileOptions.defaults().withReads(reads));
  }

  private String perform(String[] words, Path directory) throws Exception {
    return switch (words[0]) {
      case "cache" -> cache(directory);
      case "get" ->
          rates(Integer.parseInt(words[1]), Integer.parseInt(words[2]), 1, this::skewedGets);
      case "getall" -> {
        int keysAtATime = Integer.parseInt(words[2]);
        ClosedLoop.Clients clients = _ -> keysAtATime == 1 ? uniformGets() : getAlls(keysAtATime);
        yield rates(1, Integer.parseInt(words[1]), keysAtATime, clients);
      }
      case "reads" -> reads();
      default -> throw new IllegalArgumentException("command " + words[0]);
    };
  }

  /** Reads all files in this process, so that they are in the page cache and charged to it. */
  private static String cache(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        PageCaches.fill(file);
      }
    }
    return "0";
  }

  /** Returns the keys read per second, for each tenth of a second. */
  private static String rates(int threads, int millis, int keysAtATime, ClosedLoop.Clients clients)
      throws Exception {
    double[] rates =
        ClosedLoop.run(
            threads,
            millis / BUCKET_MILLIS,
            TimeUnit.MILLISECONDS.toNanos(BUCKET_MILLIS),
            1,
            clients);
    return DoubleStream.of(rates)
        .mapToObj(rate -> String.format(Locale.ROOT, "%.0f", rate * keysAtATime))
        .collect(Collectors.joining(" "));
  }

  private ClosedLoop.Client uniformGets() {
    Draw draw = new Draw();
    return () -> {
      long number = draw.uniform();
      check(number, store.get(records.key(number)));
    };
  }

  private ClosedLoop.Client skewedGets(int thread) {
    Draw draw = new Draw();
    return () -> {
      long number = draw.skewed();
      check(number, store.get(records.key(number)));
    };
  }

  private ClosedLoop.Client getAlls(int keysAtATime) {
    Draw draw = new Draw();
    return () -> {
      List<Long> numbers = new ArrayList<>();
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < keysAtATime; i++) {
        numbers.add(draw.uniform());
        keys.add(records.key(numbers.getLast()));
      }
      List<Optional<byte[]>> values = store.getAll(keys);
      for (int i = 0; i < keysAtATime; i++) {
        check(numbers.get(i), values.get(i));
      }
    };
  }

  private void check(long number, Optional<byte[]> value) {
    if (value.isEmpty() || !records.isRight(number, value.get())) {
      throw new IllegalStateException("record " + number + " is missing or wrong");
    }
  }

  private final class Draw {
    private long state = StoreRecords.mix(nextSeed.getAndIncrement());

    long uniform() {
      return below(count);
    }

    long skewed() {
      boolean hot = below(10) < HOT_OF_TEN;
      return hot ? below(Math.max(1, count / HOT_SHARE)) * HOT_SHARE : uniform();
    }

    private long below(long limit) {
      return Math.unsignedMultiplyHigh(StoreRecords.mix(state++), limit);
    }
  }

  /** Returns the reads since the opening: from mapped memory, from the cache, by system calls. */
  private String reads() {
    ReadStatistics reads = store.statistics().reads();
    return reads.mappedReads() + " " + reads.cachedReads() + " " + reads.fileReads();
  }
}
