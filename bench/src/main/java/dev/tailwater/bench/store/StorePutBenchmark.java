package dev.tailwater.bench.store;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench store-put}: durable puts into data files by 1, 8 and 32 threads, beside what the
 * disk does alone (append and fdatasync, in a loop of one thread), and puts without durability.
 */
@Command(name = "store-put", description = "Puts into data files, beside append and fdatasync.")
public final class StorePutBenchmark implements Callable<Integer> {
  private static final int KEY_BYTES = 16;
  private static final int AT_CWD = -100;

  /** Header, key and value of a record, so that the disk alone writes as much. */
  private static final int RECORD_HEADER_BYTES = 24;

  @Option(names = "--work", required = true, paramLabel = "DIR", description = "A directory.")
  private Path work = Path.of("");

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Of each durable run (default: ${DEFAULT-VALUE}).")
  private int seconds = 5;

  @Option(
      names = "--keys",
      paramLabel = "N",
      description = "Keys to load; 0: no loading (default: ${DEFAULT-VALUE}).")
  private long keys = 5_000_000;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      description = "Length of a value (default: ${DEFAULT-VALUE}).")
  private int valueBytes = 100;

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      description = "Threads of the durable runs (default: ${DEFAULT-VALUE}).")
  private List<Integer> threads = List.of(1, 8, 32);

  private final FileCalls calls = LinuxFileCalls.create();
  private final Map<String, Samples> perSecond = new LinkedHashMap<>();

  @Override
  public Integer call() throws Exception {
    Path directory = Files.createDirectories(work).toRealPath().resolve("store-put");
    RunReport report =
        new RunReport("store-put", work, ProgramOptions.directories(runs))
            .condition("rounds", rounds)
            .condition("secondsOfEach", seconds)
            .condition("keys", keys)
            .condition("valueBytes", valueBytes);
    for (int round = 0; round < rounds; round++) {
      sample("append+fdatasync", appendAndSync(directory));
      for (int count : threads) {
        sample("put group, threads " + count, putGroup(directory, count));
      }
      if (keys > 0) {
        sample("load by put", load(directory, 1, false));
        sample("load by put, threads 2", load(directory, 2, false));
        sample("load by putAll", load(directory, 1, true));
      }
    }
    report.result("perSecond", perSecond);
    report.finish();
    return 0;
  }

  private void sample(String what, double rate) {
    perSecond.computeIfAbsent(what, any -> new Samples()).add(rate);
    System.err.printf("%-24s %,12.0f/s%n", what, rate);
  }

  private double appendAndSync(Path directory) throws IOException {
    ProgramOptions.delete(directory);
    Files.createDirectories(directory);
    PosixPath file = PosixPath.of(directory.resolve("appended"));
    int fd = calls.open(AT_CWD, file, EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE), 0600);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment record = arena.allocate(RECORD_HEADER_BYTES + KEY_BYTES + valueBytes);
      long begin = System.nanoTime();
      long end = begin + TimeUnit.SECONDS.toNanos(seconds);
      long done = 0;
      while (System.nanoTime() - end < 0) {
        calls.pwrite(fd, record, done * record.byteSize());
        calls.fdatasync(fd);
        done++;
      }
      return rate(done, begin);
    } finally {
      calls.close(fd);
    }
  }

  private static double rate(long count, long beginNanos) {
    return count * 1e9 / (System.nanoTime() - beginNanos);
  }

  private KeyValueStore open(Path directory) throws IOException {
    ProgramOptions.delete(directory);
    return DataFileStore.open(calls, PosixPath.of(directory), DataFileOptions.defaults());
  }

  private double putGroup(Path directory, int count) throws Exception {
    WriteOptions group = WriteOptions.defaults().withDurability(Durability.GROUP);
    try (KeyValueStore store = open(directory)) {
      long begin = System.nanoTime();
      long end = begin + TimeUnit.SECONDS.toNanos(seconds);
      long done =
          inThreads(
              count,
              thread -> {
                SplittableRandom random = new SplittableRandom(thread);
                byte[] value = new byte[valueBytes];
                long number = 0;
                while (System.nanoTime() - end < 0) {
                  random.nextBytes(value);
                  store.put(key((long) thread << 40 | number++), value, group);
                }
                return number;
              });
      return rate(done, begin);
    }
  }

  private double load(Path directory, int count, boolean bulk) throws Exception {
    WriteOptions none = WriteOptions.defaults().withDurability(Durability.NONE);
    try (KeyValueStore store = open(directory)) {
      long begin = System.nanoTime();
      long done =
          inThreads(
              count,
              thread -> {
                byte[] value = new byte[valueBytes];
                new SplittableRandom(thread).nextBytes(value);
                long first = keys * thread / count;
                long behind = keys * (thread + 1) / count;
                if (bulk) {
                  Iterator<BulkPut> puts =
                      LongStream.range(first, behind)
                          .mapToObj(number -> BulkPut.of(key(number), value))
                          .iterator();
                  store.putAll(() -> puts, none);
                } else {
                  for (long number = first; number < behind; number++) {
                    store.put(key(number), value, none);
                  }
                }
                return behind - first;
              });
      return rate(done, begin);
    }
  }

  /** Spread, so that no engine gains from their order. */
  private static byte[] key(long number) {
    return ByteBuffer.allocate(KEY_BYTES)
        .putLong(Long.reverseBytes(number * 0x9E3779B97F4A7C15L))
        .putLong(number)
        .array();
  }

  /** What one thread does; returns how much it has done. */
  private interface Work {
    long run(int thread) throws IOException;
  }

  private static long inThreads(int count, Work work) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(count)) {
      List<Future<Long>> parts = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int thread = i;
        parts.add(executor.submit(() -> work.run(thread)));
      }
      long sum = 0;
      for (Future<Long> part : parts) {
        sum += part.get();
      }
      return sum;
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof IOException cause
          ? new UncheckedIOException(cause)
          : failed;
    }
  }
}
