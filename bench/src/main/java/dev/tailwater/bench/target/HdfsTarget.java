package dev.tailwater.bench.target;

import dev.tailwater.bench.run.ProgramOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A cluster of Hadoop's own test artifacts with three data nodes, all on this machine and its disk,
 * as a process of its own.
 */
final class HdfsTarget implements Target {
  private static final String ARCHIVE = "/archive";
  private static final String CALLS = "NameNode.";
  private static final String COUNTED = "NumOps";

  /** What data nodes and the observer ask a NameNode. */
  private static final Set<String> NOT_OF_A_CLIENT =
      Set.of(
          "SendHeartbeat",
          "BlockReport",
          "BlockReceivedAndDeleted",
          "RegisterDatanode",
          "VersionRequest",
          "GetEditsFromTxid",
          "GetCurrentEditLogTxid");

  private final ClusterChild cluster;
  private final Path directory;
  private final int port;
  private Map<String, Long> before = Map.of();

  private HdfsTarget(ClusterChild cluster, Path directory) throws IOException {
    this.cluster = cluster;
    this.directory = directory;
    this.port =
        cluster.answer().stream()
            .filter(line -> line.startsWith("port "))
            .map(line -> Integer.parseInt(line.substring("port ".length())))
            .findFirst()
            .orElseThrow();
  }

  /**
   * Starts the cluster, and returns when it serves.
   *
   * @param module the directory of destination/hdfs
   * @param directory for its data and log; removed at the end
   */
  static HdfsTarget start(Path module, Path directory) throws IOException {
    ProgramOptions.delete(directory);
    Files.createDirectories(directory);
    ClusterChild cluster = ClusterChild.start(module, directory);
    try {
      HdfsTarget target = new HdfsTarget(cluster, directory);
      target.empty();
      return target;
    } catch (IOException e) {
      cluster.close();
      throw new IOException("see " + directory.resolve("log"), e);
    }
  }

  @Override
  public String uri() {
    return "hdfs://127.0.0.1:" + port + ARCHIVE;
  }

  @Override
  public Map<String, String> environment() {
    return Map.of();
  }

  @Override
  public void empty() throws IOException {
    cluster.tell("remove " + ARCHIVE);
    before = counts();
  }

  @Override
  public SegmentObserver observe(SegmentObserver.Listener listener) {
    return new HdfsObserver(cluster, listener);
  }

  @Override
  public String durableMeans() {
    return "the rename is in the NameNode's log, by its clock; the data nodes have synced before"
        + " it";
  }

  @Override
  public Map<String, Long> requests() throws IOException {
    Map<String, Long> counts = counts();
    counts.replaceAll((call, count) -> count - before.getOrDefault(call, 0L));
    counts.values().removeIf(count -> count == 0);
    return counts;
  }

  /** Calls of the client to the NameNode, by name. */
  private Map<String, Long> counts() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(1500); // The figures are up to a second old.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Map<String, Long> counts = new TreeMap<>();
    for (String line : cluster.tell("metrics")) {
      String name = line.substring(0, line.indexOf(' '));
      if (name.startsWith(CALLS) && name.endsWith(COUNTED)) {
        String call = name.substring(CALLS.length(), name.length() - COUNTED.length());
        // The same calls are counted once more as "Overall".
        boolean isCall = !call.startsWith("Overall") && !call.endsWith("Exception");
        if (isCall && !NOT_OF_A_CLIENT.contains(call)) {
          counts.merge(call, Long.parseLong(line.substring(name.length() + 1)), Long::sum);
        }
      }
    }
    return counts;
  }

  @Override
  public void close() throws IOException {
    cluster.close();
    ProgramOptions.delete(directory);
  }
}
