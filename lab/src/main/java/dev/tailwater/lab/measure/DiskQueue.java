package dev.tailwater.lab.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The average number of requests in progress at a disk, and the number of its reads, as iostat(1)
 * reports them: from the kernel's statistics of the block device.
 *
 * @see <a href="https://docs.kernel.org/block/stat.html">Block layer statistics</a>
 */
public final class DiskQueue {
  private static final int READS_FIELD = 0;
  private static final int TIME_IN_QUEUE_FIELD = 10;

  private final Path statistics;
  private final long startNanos = System.nanoTime();
  private final long[] start;

  private DiskQueue(Path statistics) throws IOException {
    this.statistics = statistics;
    this.start = fields();
  }

  /** Begins to count; returns empty if the file system is not on a single device. */
  public static Optional<DiskQueue> of(Path file) throws IOException {
    long device = (Long) Files.getAttribute(file, "unix:dev");
    long major = (device >>> 8 & 0xfff) | (device >>> 32 & ~0xfffL);
    long minor = (device & 0xff) | (device >>> 12 & ~0xffL);
    Path statistics = Path.of("/sys/dev/block/" + major + ":" + minor + "/stat");
    return Files.exists(statistics) ? Optional.of(new DiskQueue(statistics)) : Optional.empty();
  }

  private long[] fields() throws IOException {
    String[] words = Files.readString(statistics).trim().split(" +", -1);
    return new long[] {
      Long.parseLong(words[READS_FIELD]), Long.parseLong(words[TIME_IN_QUEUE_FIELD])
    };
  }

  /** Returns the mean number of requests in progress. */
  public double depth() throws IOException {
    double millis = (System.nanoTime() - startNanos) / 1e6;
    return (fields()[1] - start[1]) / millis;
  }

  /** Returns the reads of the disk per second. */
  public double readsPerSecond() throws IOException {
    return (fields()[0] - start[0]) * 1e9 / (System.nanoTime() - startNanos);
  }
}
