package dev.tailwater.cli.bench;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.tool.Stores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The measurement of a new store: load, reads from memory, a mix, and puts that wait for the disk.
 */
public final class StoreBench {
  private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int MOST_LOADED_AT_ONCE = 1000;
  private static final int MOST_LOADED_BYTES = 16 * 1024 * 1024;

  private final FileCalls calls;
  private final PosixPath directory;
  private final BenchPlan plan;
  private final Progress progress;

  /** A listener for the progress. */
  @FunctionalInterface
  public interface Progress {
    void at(long done, long of);
  }

  /** Creates a measurement in this directory, which must be empty. */
  public StoreBench(FileCalls calls, PosixPath directory, BenchPlan plan, Progress progress) {
    this.calls = calls;
    this.directory = directory;
    this.plan = plan;
    this.progress = progress;
  }

  /** Measures everything, and passes on each result when it is there. */
  public void run(Consumer<PhaseResult> results) throws IOException, InterruptedException {
    int phases = 3 + plan.commitThreads().size();
    int done = 0;
    try (KeyValueStore store = Stores.open(calls, directory, plan.mode())) {
      results.accept(load(store));
      progress.at(++done, phases);
      WriteOptions none = WriteOptions.defaults().withDurability(Durability.NONE);
      results.accept(measure("get", plan.readThreads(), (random, value) -> get(store, random)));
      progress.at(++done, phases);
      results.accept(
          measure(
              "get and put, half each",
              plan.readThreads(),
              (random, value) -> {
                if (random.nextBoolean()) {
                  get(store, random);
                } else {
                  store.put(key(random.nextInt(plan.entries())), value, none);
                }
              }));
      progress.at(++done, phases);
      WriteOptions group = WriteOptions.defaults().withDurability(Durability.GROUP);
      for (int threads : plan.commitThreads()) {
        results.accept(
            measure(
                "put, group commit",
                threads,
                (random, value) -> store.put(key(random.nextInt(plan.entries())), value, group)));
        progress.at(++done, phases);
      }
    }
  }

  private PhaseResult load(KeyValueStore store) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    Histogram latencies = new Histogram(MAX_NANOS, 3);
    // The heap holds what is put at once.
    int piece = Math.clamp(MOST_LOADED_BYTES / plan.valueBytes(), 1, MOST_LOADED_AT_ONCE);
    long start = System.nanoTime();
    for (int from = 0; from < plan.entries(); from += piece) {
      int end = Math.min(plan.entries(), from + piece);
      List<BulkPut> puts = new ArrayList<>(end - from);
      IntStream.range(from, end).forEach(i -> puts.add(BulkPut.of(key(i), value(random))));
      long before = System.nanoTime();
      store.putAll(puts, WriteOptions.defaults());
      latencies.recordValue(Math.min(MAX_NANOS, System.nanoTime() - before));
    }
    return new PhaseResult(
        "load, " + piece + " at once", 1, plan.entries(), System.nanoTime() - start, latencies);
  }

  /** One operation. */
  @FunctionalInterface
  private interface Operation {
    void run(SplittableRandom random, byte[] value) throws IOException;
  }

  private PhaseResult measure(String name, int threads, Operation operation)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    long end = start + TimeUnit.MILLISECONDS.toNanos(plan.phaseMillis());
    Histogram all = new Histogram(MAX_NANOS, 3);
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<Histogram>> parts = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        SplittableRandom random = new SplittableRandom(thread + 2L);
        parts.add(executor.submit(() -> repeat(operation, random, end)));
      }
      for (Future<Histogram> part : parts) {
        all.add(part.get());
      }
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IllegalStateException(failed.getCause());
    }
    return new PhaseResult(name, threads, all.getTotalCount(), System.nanoTime() - start, all);
  }

  private Histogram repeat(Operation operation, SplittableRandom random, long endNanos)
      throws IOException {
    Histogram latencies = new Histogram(MAX_NANOS, 3);
    byte[] value = value(random);
    long before = System.nanoTime();
    while (before - endNanos < 0) {
      operation.run(random, value);
      long after = System.nanoTime();
      latencies.recordValue(Math.min(MAX_NANOS, after - before));
      before = after;
    }
    return latencies;
  }

  private void get(KeyValueStore store, SplittableRandom random) throws IOException {
    int number = random.nextInt(plan.entries());
    if (store.get(key(number)).isEmpty()) {
      throw new IOException("entry " + number + " was loaded and is not there");
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(BenchPlan.KEY_BYTES).putLong(number).array();
  }

  private byte[] value(SplittableRandom random) {
    byte[] value = new byte[plan.valueBytes()];
    random.nextBytes(value);
    return value;
  }
}
