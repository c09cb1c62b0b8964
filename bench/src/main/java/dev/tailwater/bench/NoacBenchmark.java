package dev.tailwater.bench;

import dev.tailwater.posix.testkit.fuse.FuseCounts;
import dev.tailwater.posix.testkit.fuse.FuseFileSystem;
import dev.tailwater.posix.testkit.fuse.FuseOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench noac}: article 000 on a mount that makes a WRITE request of each write(2), as NFS
 * with {@code noac} does: FUSE with direct I/O, at most 128 KiB a request, and a delay for each.
 * How many requests, and how long, for 100 MiB handed down in 8, 64, 128 and 1024 KiB by a
 * BufferedOutputStream and by a BlockWriter; and for a copy by transferTo and by FileCopy.
 *
 * <p>The article on NFS 4.0, {@code noac}, wsize 131072, 100 MB: 8 KiB 36 857 ms, 64 KiB 18 452 ms,
 * 128 KiB 7 888 ms. It counted 128 WRITEs for 1 MB at 8 KiB and 8 at 128 KiB.
 */
@Command(name = "noac", description = "Writing to a mount where each write is a request.")
final class NoacBenchmark implements Callable<Integer> {
  private static final int[] BUFFER_KIB = {8, 64, 128, 1024};

  /** Milliseconds of article 000 by KiB of buffer. */
  private static final Map<Integer, Long> ARTICLE_MILLIS =
      Map.of(8, 36_857L, 64, 18_452L, 128, 7_888L);

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(names = "--mib", paramLabel = "N", description = "Size (default: ${DEFAULT-VALUE}).")
  private int sizeMebibytes = 100;

  @Option(
      names = "--delay-micros",
      paramLabel = "N",
      description = "How long each WRITE takes (default: ${DEFAULT-VALUE}).")
  private long delayMicros = 1_000;

  private interface Way {
    void write(Path from, Path to) throws IOException;
  }

  /** The last round's requests, and each round's time. */
  private static final class Row {
    private final Samples millis = new Samples();
    private long requests;
    private Map<Integer, Long> sizes = Map.of();
  }

  @Override
  public Integer call() throws IOException {
    if (FuseFileSystem.missing().isPresent()) {
      System.err.println("bench noac needs FUSE: " + FuseFileSystem.missing().get());
      return 1;
    }
    Path from = Files.createTempFile("tailwater-bench", ".bin");
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct())) {
      byte[] content = new byte[sizeMebibytes << 20];
      new Random(1).nextBytes(content);
      Files.write(from, content);
      RunReport report =
          new RunReport("noac", mounted.root(), ProgramOptions.directories(runs))
              .condition(
                  "command",
                  String.format(
                      Locale.ROOT,
                      "bench noac --mib %d --delay-micros %d --rounds %d",
                      sizeMebibytes,
                      delayMicros,
                      rounds))
              .condition("maxWriteBytes", FuseOptions.DEFAULT_MAX_WRITE_BYTES);
      Map<String, Row> rows = new LinkedHashMap<>();
      Map<String, Way> ways = ways();
      for (Map.Entry<String, Way> way : ways.entrySet()) {
        measure(mounted, from, way.getValue()); // without a delay, so that all code is warm
      }
      mounted.delayWrites(delayMicros);
      for (int round = 0; round < rounds; round++) {
        for (Map.Entry<String, Way> way : ways.entrySet()) {
          add(rows.computeIfAbsent(way.getKey(), _ -> new Row()), mounted, from, way.getValue());
        }
      }
      print(rows);
      report.result("byWay", results(rows)).finish();
    } finally {
      Files.delete(from);
    }
    return 0;
  }

  private static Map<String, Way> ways() {
    NoacWays ways = new NoacWays();
    Map<String, Way> all = new LinkedHashMap<>();
    for (int kib : BUFFER_KIB) {
      all.put("stream " + kib + " KiB", (from, to) -> ways.stream(from, to, kib << 10));
      all.put("BlockWriter " + kib + " KiB", (from, to) -> ways.blockWriter(from, to, kib << 10));
    }
    all.put("transferTo", ways::transferTo);
    all.put("FileCopy", ways::fileCopy);
    return all;
  }

  private static long measure(FuseFileSystem mounted, Path from, Way way) throws IOException {
    Path to = mounted.root().resolve("copy");
    Files.deleteIfExists(to);
    mounted.reset();
    long startNanos = System.nanoTime();
    way.write(from, to);
    long nanos = System.nanoTime() - startNanos;
    if (Files.mismatch(from, mounted.files().resolve("copy")) != -1) {
      throw new IOException("the copy is not the same");
    }
    return nanos;
  }

  private static void add(Row row, FuseFileSystem mounted, Path from, Way way) throws IOException {
    row.millis.add(measure(mounted, from, way) / 1e6);
    FuseCounts counts = mounted.counts();
    row.requests = counts.writeRequests();
    row.sizes = counts.writeSizes();
  }

  private static void print(Map<String, Row> rows) {
    System.err.printf("%-22s %9s %10s %12s%n", "", "requests", "median ms", "article ms");
    rows.forEach(
        (name, row) ->
            System.err.printf(
                Locale.ROOT,
                "%-22s %9d %10.0f %12s%n",
                name,
                row.requests,
                row.millis.median(),
                articleMillis(name)));
  }

  private static String articleMillis(String name) {
    if (!name.startsWith("stream")) {
      return "";
    }
    Long millis = ARTICLE_MILLIS.get(Integer.valueOf(name.split(" ", -1)[1]));
    return millis == null ? "" : millis.toString();
  }

  private static Map<String, Object> results(Map<String, Row> rows) {
    Map<String, Object> results = new LinkedHashMap<>();
    rows.forEach(
        (name, row) -> {
          Map<String, Object> result = new LinkedHashMap<>();
          result.put("writeRequests", row.requests);
          result.put("requestsBySizeBytes", row.sizes);
          result.put("millis", row.millis);
          if (!articleMillis(name).isEmpty()) {
            result.put("articleMillis", Long.valueOf(articleMillis(name)));
          }
          results.put(name, result);
        });
    return results;
  }
}
