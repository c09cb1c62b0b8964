package dev.tailwater.lab.file;

import dev.tailwater.posix.testkit.DiskStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * What a disk was asked to read.
 *
 * @param requests empty where only bytes are counted
 * @param bytes empty where nobody counts
 */
public record DiskReads(OptionalLong requests, OptionalLong bytes) {
  private static final Path OF_THIS_THREAD = Path.of("/proc/thread-self/io");
  private static final String READ_BYTES = "read_bytes: ";

  /** Says how much it was until now. */
  @FunctionalInterface
  public interface Counter {
    DiskReads now() throws IOException;
  }

  /** Of a disk on which nothing else lies: /proc/diskstats, proc_diskstats(5). */
  public static Counter ofDevice(Path directory) {
    return () -> {
      DiskStatistics all = DiskStatistics.of(directory);
      return new DiskReads(OptionalLong.of(all.reads()), OptionalLong.of(all.readBytes()));
    };
  }

  /**
   * Of the thread that asks, on all disks: read_bytes of proc_pid_io(5). What the kernel reads
   * ahead on its behalf counts too. Nothing is counted where the kernel keeps no such account, and
   * a file system that is no block device (NFS, tmpfs) does not count there.
   */
  public static Counter ofThisThread() {
    return () ->
        new DiskReads(
            OptionalLong.empty(),
            Files.isReadable(OF_THIS_THREAD)
                ? Files.readAllLines(OF_THIS_THREAD).stream()
                    .filter(line -> line.startsWith(READ_BYTES))
                    .mapToLong(line -> Long.parseLong(line.substring(READ_BYTES.length())))
                    .findFirst()
                : OptionalLong.empty());
  }

  /** What came in between. */
  public DiskReads since(DiskReads earlier) {
    return new DiskReads(difference(requests, earlier.requests), difference(bytes, earlier.bytes));
  }

  private static OptionalLong difference(OptionalLong later, OptionalLong earlier) {
    return later.isPresent() && earlier.isPresent()
        ? OptionalLong.of(later.getAsLong() - earlier.getAsLong())
        : OptionalLong.empty();
  }
}
