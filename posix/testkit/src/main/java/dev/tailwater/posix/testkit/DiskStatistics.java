package dev.tailwater.posix.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The requests to a block device since it was attached, from /proc/diskstats (proc_diskstats(5)).
 *
 * @param reads completed read requests
 * @param readBytes bytes that they read
 * @param writes completed write requests
 * @param writtenBytes bytes that they wrote
 */
public record DiskStatistics(long reads, long readBytes, long writes, long writtenBytes) {
  private static final Path DISKSTATS = Path.of("/proc/diskstats");
  private static final long SECTOR_BYTES = 512;

  /** Reads the statistics of the device that holds a directory's file system. */
  public static DiskStatistics of(Path directory) throws IOException {
    long device = (long) Files.getAttribute(directory, "unix:dev");
    String major = String.valueOf(device >> 8 & 0xfff);
    String minor = String.valueOf((device & 0xff) | (device >> 12 & 0xfff00));
    for (String line : Files.readAllLines(DISKSTATS)) {
      List<String> words = List.of(line.strip().split("\\s+", -1));
      if (words.get(0).equals(major) && words.get(1).equals(minor)) {
        return new DiskStatistics(
            Long.parseLong(words.get(3)),
            Long.parseLong(words.get(5)) * SECTOR_BYTES,
            Long.parseLong(words.get(7)),
            Long.parseLong(words.get(9)) * SECTOR_BYTES);
      }
    }
    throw new IOException(DISKSTATS + " has no device " + major + ":" + minor);
  }

  /** Returns the requests since an earlier reading. */
  public DiskStatistics since(DiskStatistics earlier) {
    return new DiskStatistics(
        reads - earlier.reads,
        readBytes - earlier.readBytes,
        writes - earlier.writes,
        writtenBytes - earlier.writtenBytes);
  }
}
