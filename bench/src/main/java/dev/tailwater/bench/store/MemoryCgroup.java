package dev.tailwater.bench.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A memory control group, version 1 or 2, in which processes and the page cache that they cause are
 * bounded, so that a page cache can be flooded without filling the machine's memory. Needs root.
 *
 * @see <a href="https://docs.kernel.org/admin-guide/cgroup-v2.html">Control Group v2</a>
 */
final class MemoryCgroup implements AutoCloseable {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final Path ROOT_VERSION_1 = ROOT.resolve("memory");

  private final Path directory;

  private MemoryCgroup(Path directory) {
    this.directory = directory;
  }

  /** A new group with this limit; empty where this process must not make one. */
  static Optional<MemoryCgroup> create(long limitBytes) throws IOException {
    boolean version1 = Files.exists(ROOT_VERSION_1.resolve("cgroup.procs"));
    Path root = version1 ? ROOT_VERSION_1 : ROOT;
    if (!Files.isWritable(root)) {
      return Optional.empty();
    }
    Path directory = root.resolve("tailwater-bench-" + ProcessHandle.current().pid());
    Files.createDirectory(directory);
    Path limit = directory.resolve(version1 ? "memory.limit_in_bytes" : "memory.max");
    if (!Files.exists(limit)) {
      Files.delete(directory);
      return Optional.empty();
    }
    Files.writeString(limit, Long.toString(limitBytes));
    return Optional.of(new MemoryCgroup(directory));
  }

  /** Words that, put before a command, run it in the group. */
  List<String> launcher() {
    return List.of(
        "sh", "-c", "echo $$ > '" + directory.resolve("cgroup.procs") + "' && exec \"$@\"", "sh");
  }

  /** The processes in it must have ended. */
  @Override
  public void close() throws IOException {
    Files.delete(directory);
  }
}
