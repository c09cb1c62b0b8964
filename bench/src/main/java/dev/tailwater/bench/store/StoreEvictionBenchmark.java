package dev.tailwater.bench.store;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.lab.measure.ChildJvm;
import dev.tailwater.lab.measure.ClosedLoop;
import dev.tailwater.lab.measure.DiskQueue;
import dev.tailwater.lab.measure.PageCaches;
import dev.tailwater.lab.store.StoreChild;
import dev.tailwater.lab.store.StoreRecords;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.datafile.read.ReadOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.DoubleStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench store-eviction}: what article 003 did to its store. Gets while the data file is in
 * the page cache; then another process reads a huge file until the data file is evicted; then the
 * same gets again, over time. With and without the store's own cache, by mapped memory, by system
 * calls and by direct I/O. At last many keys by one call, with the data file evicted, and how many
 * requests the disk has under way meanwhile.
 *
 * <p>As root, store and flood run in a memory cgroup of their own, so that the machine's memory
 * need not be filled. Otherwise the data file is evicted by posix_fadvise, as another process
 * could.
 */
@Command(
    name = "store-eviction",
    description = "Gets before and after another process has flooded the page cache.")
public final class StoreEvictionBenchmark implements Callable<Integer> {
  private static final int VALUE_BYTES = 400;
  private static final int HEAP_MEBIBYTES = 160;
  private static final int NATIVE_MEBIBYTES = 192;
  private static final int MAX_FLOODS = 12;
  private static final double EVICTED_SHARE = 0.01;

  /** What is read only once does not push out what is in use; the kernel sees to that. */
  private static final String READ_TWICE =
      "at=0; while [ $at -lt $2 ]; do"
          + " dd if=\"$1\" of=/dev/null bs=1M count=32 skip=$at status=none;"
          + " dd if=\"$1\" of=/dev/null bs=1M count=32 skip=$at status=none;"
          + " at=$((at + 32)); done";

  private static final int WARM_MILLIS = 2_000;
  private static final int GET_ALL_MILLIS = 1_000;
  private static final int[] KEYS_AT_A_TIME = {1, 16, 64, 256};
  private static final long CACHE_BYTES = 64L << 20;

  @Option(names = "--work", required = true, paramLabel = "DIR", description = "A directory.")
  private Path work = Path.of("");

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Records with values of 400 bytes (default: ${DEFAULT-VALUE}).")
  private int recordCount = 1_000_000;

  @Option(
      names = "--hot-millis",
      paramLabel = "N",
      description = "How long before the flood (default: ${DEFAULT-VALUE}).")
  private int hotMillis = 2_000;

  @Option(
      names = "--evicted-millis",
      paramLabel = "N",
      description = "How long after the flood (default: ${DEFAULT-VALUE}).")
  private int evictedMillis = 6_000;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads that get (default: ${DEFAULT-VALUE}).")
  private int threads = 2;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "VARIANT",
      description =
          "mapped, mapped+cache, calls, calls+cache, direct, direct+cache (default: all).")
  private List<String> only = List.of();

  private record Variant(String name, ReadOptions reads) {}

  private static final List<Variant> VARIANTS =
      List.of(
          new Variant("mapped", new ReadOptions(true, false, 0)),
          new Variant("mapped+cache", new ReadOptions(true, false, CACHE_BYTES)),
          new Variant("calls", new ReadOptions(false, false, 0)),
          new Variant("calls+cache", new ReadOptions(false, false, CACHE_BYTES)),
          new Variant("direct", new ReadOptions(false, true, 0)),
          new Variant("direct+cache", new ReadOptions(false, true, CACHE_BYTES)));

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path directory = Files.createDirectories(work).toRealPath().resolve("store-eviction");
    Path store = directory.resolve("store");
    Path flood = directory.resolve("flood");
    Files.createDirectories(directory);
    try {
      fill(store);
      long dataBytes = (long) recordCount * VALUE_BYTES;
      long limitBytes = dataBytes * 5 / 4 + ((long) (HEAP_MEBIBYTES + NATIVE_MEBIBYTES) << 20);
      try (RandomAccessFile file = new RandomAccessFile(flood.toFile(), "rw")) {
        file.setLength(2 * limitBytes); // reading a hole takes page cache like any other reading
      }
      RunReport report =
          new RunReport("store-eviction", directory, ProgramOptions.directories(runs))
              .condition("command", command())
              .condition("records", recordCount)
              .condition("valueBytes", VALUE_BYTES)
              .condition("heapMebibytes", HEAP_MEBIBYTES)
              .condition("cacheMebibytes", CACHE_BYTES >> 20)
              .condition("memoryLimitMebibytes", limitBytes >> 20);
      measure(report, store, flood, limitBytes);
      report.finish();
    } finally {
      ProgramOptions.delete(directory);
    }
    return 0;
  }

  private String command() {
    return "bench store-eviction --records %d --hot-millis %d --evicted-millis %d --threads %d%s"
        .formatted(
            recordCount,
            hotMillis,
            evictedMillis,
            threads,
            only.isEmpty() ? "" : " --only " + String.join(",", only));
  }

  private void fill(Path directory) throws IOException {
    try (DataFileStore store =
        DataFileStore.open(
            LinuxFileCalls.create(), PosixPath.of(directory), DataFileOptions.defaults())) {
      store.putAll(new StoreRecords(VALUE_BYTES).puts(recordCount), WriteOptions.defaults());
    }
  }

  private void measure(RunReport report, Path store, Path flood, long limitBytes)
      throws IOException, InterruptedException {
    Map<String, Map<String, Object>> results = new LinkedHashMap<>();
    Optional<MemoryCgroup> group = MemoryCgroup.create(limitBytes);
    report.condition(
        "evictedBy",
        group.isPresent()
            ? "another process in the same cgroup, which reads a huge file twice"
            : "posix_fadvise");
    try {
      for (Variant variant : VARIANTS) {
        if (only.isEmpty() || only.contains(variant.name())) {
          PageCaches.drop(store); // so that what the store reads is on the group's account
          results.put(variant.name(), measure(variant, store, flood, group));
        }
      }
    } finally {
      if (group.isPresent()) {
        group.get().close();
      }
    }
    results.forEach(report::details);
  }

  private Map<String, Object> measure(
      Variant variant, Path store, Path flood, Optional<MemoryCgroup> group)
      throws IOException, InterruptedException {
    Map<String, Object> results = new LinkedHashMap<>();
    try (ChildJvm child = start(variant, store, group)) {
      child.ask("cache");
      child.ask("get", threads, WARM_MILLIS);
      double[] hot = child.ask("get", threads, hotMillis);
      results.put("residentShareBefore", PageCaches.residentShare(store));
      int floods = evict(store, flood, group);
      results.put("floods", floods < MAX_FLOODS ? floods : "not enough; posix_fadvise");
      results.put("residentShareAfter", PageCaches.residentShare(store));
      Optional<DiskQueue> queue = DiskQueue.of(store);
      double[] evicted = child.ask("get", threads, evictedMillis);
      if (queue.isPresent()) {
        results.put("evictedDiskReadsPerSecond", queue.get().readsPerSecond());
      }
      results.put("residentShareAtEnd", PageCaches.residentShare(store));
      summarize(results, hot, evicted);
      System.err.printf(
          Locale.ROOT,
          "%-13s %,9.0f %s  evicted to %.1f %%: %,9.0f in the first second %s%n",
          variant.name(),
          mean(hot),
          RatePlot.line(hot, mean(hot)),
          (Double) results.get("residentShareAfter") * 100,
          firstSecond(evicted),
          RatePlot.line(evicted, mean(hot)));
      results.put("readsMappedCachedByCall", list(child.ask("reads")));
      results.put("getAll", getAll(child, store, flood, group));
      System.err.println(variant.name() + ": " + results.get("getAll"));
    }
    return results;
  }

  private static void summarize(Map<String, Object> results, double[] hot, double[] evicted) {
    results.put("hotGetsPerSecond", mean(hot));
    results.put("evictedGetsPerSecondFirstSecond", firstSecond(evicted));
    results.put("evictedGetsPerSecondLastSecond", mean(lastSecond(evicted)));
    results.put("evictedToHot", firstSecond(evicted) / mean(hot));
    results.put("hotPer100Millis", list(hot));
    results.put("evictedPer100Millis", list(evicted));
  }

  private ChildJvm start(Variant variant, Path store, Optional<MemoryCgroup> group)
      throws IOException {
    List<String> options =
        List.of(
            "-XX:+UseSerialGC",
            "-Xmx" + HEAP_MEBIBYTES + "m",
            "--enable-native-access=ALL-UNNAMED");
    List<String> arguments =
        List.of(
            store.toString(),
            Integer.toString(recordCount),
            Integer.toString(VALUE_BYTES),
            Boolean.toString(variant.reads().mapped()),
            Boolean.toString(variant.reads().direct()),
            Long.toString(variant.reads().cacheBytes()));
    List<String> launcher = group.map(MemoryCgroup::launcher).orElse(List.of());
    return ChildJvm.start(variant.name(), launcher, options, StoreChild.class, arguments);
  }

  /** Returns how often the huge file was read. */
  private static int evict(Path store, Path flood, Optional<MemoryCgroup> group)
      throws IOException, InterruptedException {
    int floods = 0;
    if (group.isPresent()) {
      while (floods < MAX_FLOODS && PageCaches.residentShare(store) > EVICTED_SHARE) {
        List<String> words = new ArrayList<>(group.get().launcher());
        words.addAll(List.of("sh", "-c", READ_TWICE, "sh", flood.toString()));
        words.add(Long.toString(Files.size(flood) >> 20));
        Process reader =
            new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (reader.waitFor() != 0) {
          throw new IOException("dd failed");
        }
        floods++;
      }
    }
    if (PageCaches.residentShare(store) > EVICTED_SHARE) {
      PageCaches.advise(store);
    }
    return floods;
  }

  /** By one thread: keys a second and mean number of requests under way, by keys at a time. */
  private static Map<String, Object> getAll(
      ChildJvm child, Path store, Path flood, Optional<MemoryCgroup> group)
      throws IOException, InterruptedException {
    Map<String, Object> results = new LinkedHashMap<>();
    for (int keys : KEYS_AT_A_TIME) {
      evict(store, flood, group);
      Map<String, Object> result = new LinkedHashMap<>();
      Optional<DiskQueue> queue = DiskQueue.of(store);
      result.put("keysPerSecond", mean(child.ask("getall", GET_ALL_MILLIS, keys)));
      if (queue.isPresent()) {
        result.put("diskQueueDepth", queue.get().depth());
        result.put("diskReadsPerSecond", queue.get().readsPerSecond());
      }
      results.put(keys + "AtATime", result);
    }
    return results;
  }

  private static double mean(double[] rates) {
    return ClosedLoop.mean(rates);
  }

  private static double firstSecond(double[] rates) {
    return mean(Arrays.copyOf(rates, Math.min(rates.length, 10)));
  }

  private static double[] lastSecond(double[] rates) {
    return Arrays.copyOfRange(rates, Math.max(0, rates.length - 10), rates.length);
  }

  private static List<Double> list(double[] values) {
    return DoubleStream.of(values).boxed().toList();
  }
}
