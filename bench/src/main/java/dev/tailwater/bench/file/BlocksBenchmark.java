package dev.tailwater.bench.file;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.lab.write.BlockFile;
import dev.tailwater.lab.write.BlockFile.Measured;
import dev.tailwater.lab.write.BlockFile.State;
import dev.tailwater.lab.write.BlockFile.Way;
import dev.tailwater.lab.write.DiskReads;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench blocks}: does the size of an application write matter? Appends and overwrites by
 * {@code RandomAccessFile}, as article 001 did, beside {@code BlockWriter}, on ext4 and xfs of loop
 * devices, whose reads are counted. Then the ways to make the file durable. Needs root.
 *
 * <p>Article 001 reported, for 128 MiB: an overwrite of ext4 with blocks of 4 KiB and a cold cache
 * took 69 ms in chunks of 4096 bytes, 59 in chunks of 8192, and 1646 in chunks of 6144.
 */
@Command(name = "blocks", description = "Chunk sizes and blocks: plain writes beside BlockWriter.")
public final class BlocksBenchmark implements Callable<Integer> {
  private static final List<Integer> CHUNKS = List.of(1000, 2048, 4096, 6144, 8192);
  private static final int REFERENCE_CHUNK = 8192;
  private static final List<Way> COMPARED = List.of(Way.PLAIN, Way.BLOCK_WRITER);

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(
      names = "--mib",
      paramLabel = "N",
      description = "Size of the file in MiB (default: ${DEFAULT-VALUE}; the article: 128).")
  private int mebibytes = 16;

  /** The file systems that are made. */
  private enum Kind {
    EXT4_4_KIB("ext4, 4 KiB blocks", 4096),
    EXT4_2_KIB("ext4, 2 KiB blocks", 2048),
    XFS_4_KIB("xfs, 4 KiB blocks", 4096);

    private final String title;
    private final int blockBytes;

    Kind(String title, int blockBytes) {
      this.title = title;
      this.blockBytes = blockBytes;
    }

    MountedFileSystem mount(long fileBytes) throws IOException {
      long size = TestFileSystems.MIN_XFS_BYTES + 3 * fileBytes;
      return this == XFS_4_KIB
          ? TestFileSystems.xfs(size, blockBytes)
          : TestFileSystems.ext4(size, blockBytes);
    }
  }

  @Override
  public Integer call() throws IOException {
    if (!TestFileSystems.isRoot()) {
      System.err.println("bench blocks mounts file systems and so needs root");
      return 2;
    }
    RunReport report =
        new RunReport("blocks", Path.of("").toAbsolutePath(), ProgramOptions.directories(runs))
            .condition("command", "bench blocks --mib " + mebibytes + " --rounds " + rounds)
            .condition("fileBytes", fileBytes())
            .condition("rounds", rounds)
            .condition("article", "001, which wrote 128 MiB");
    BlocksTable table = new BlocksTable(mebibytes);
    for (Kind kind : Kind.values()) {
      try (MountedFileSystem mounted = kind.mount(fileBytes());
          BlockFile file =
              new BlockFile(
                  LinuxFileCalls.create(),
                  mounted.root(),
                  DiskReads.ofDevice(mounted.root()),
                  fileBytes())) {
        Map<String, Object> results = new LinkedHashMap<>();
        for (State state : State.values()) {
          results.put(name(state), chunks(file, kind.title, state, table));
        }
        results.put("untilDurable", durable(file, kind.title, table));
        report.result(name(kind), results);
      }
    }
    report.finish();
    System.err.println(table);
    return 0;
  }

  private long fileBytes() {
    return (long) mebibytes << 20;
  }

  private Map<String, Object> chunks(BlockFile file, String title, State state, BlocksTable table)
      throws IOException {
    Map<Way, Map<Integer, Samples>> millis = new LinkedHashMap<>();
    Map<Way, Map<Integer, Samples>> ratios = new LinkedHashMap<>();
    Map<Way, Map<Integer, Samples>> processor = new LinkedHashMap<>();
    Map<Way, Map<Integer, Samples>> reads = new LinkedHashMap<>();
    for (int round = -1; round < rounds; round++) { // one to warm up
      for (Way way : COMPARED) {
        Map<Integer, Measured> measured = new LinkedHashMap<>();
        for (int chunk : CHUNKS) {
          measured.put(chunk, file.measure(state, way, chunk));
        }
        Measured reference = Objects.requireNonNull(measured.get(REFERENCE_CHUNK));
        for (int chunk : round < 0 ? List.<Integer>of() : CHUNKS) {
          Measured one = Objects.requireNonNull(measured.get(chunk));
          samples(millis, way, chunk).add(one.millis());
          samples(ratios, way, chunk).add(one.millis() / reference.millis());
          samples(processor, way, chunk).add(one.processorMillis() / reference.processorMillis());
          samples(reads, way, chunk).add((double) one.read().requests().orElseThrow());
        }
      }
    }
    Map<String, Object> results = new LinkedHashMap<>();
    for (Way way : COMPARED) {
      results.put(
          name(way),
          Map.of(
              "millis", of(millis, way),
              "to8192", of(ratios, way),
              "processorTo8192", of(processor, way),
              "diskReads", of(reads, way)));
      table.row(
          title, state, way, of(millis, way), of(ratios, way), of(processor, way), of(reads, way));
    }
    return results;
  }

  /** Appends in the reference chunk, by each way, until all is durable. */
  private Map<String, Object> durable(BlockFile file, String title, BlocksTable table)
      throws IOException {
    Map<Way, Samples> millis = new LinkedHashMap<>();
    for (int round = -1; round < rounds; round++) {
      for (Way way : Way.values()) {
        Measured one = file.measure(State.APPEND, way, REFERENCE_CHUNK);
        if (round >= 0) {
          millis.computeIfAbsent(way, _ -> new Samples()).add(one.durableMillis());
        }
      }
    }
    Map<String, Object> results = new LinkedHashMap<>();
    millis.forEach((way, samples) -> results.put(name(way), samples));
    table.durable(title, millis);
    return results;
  }

  private static Map<Integer, Samples> of(Map<Way, Map<Integer, Samples>> all, Way way) {
    return Objects.requireNonNull(all.get(way));
  }

  private static Samples samples(Map<Way, Map<Integer, Samples>> all, Way way, int chunk) {
    return all.computeIfAbsent(way, _ -> new LinkedHashMap<>())
        .computeIfAbsent(chunk, _ -> new Samples());
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
