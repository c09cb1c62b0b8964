package dev.tailwater.lab.write;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.DiskStatistics;
import dev.tailwater.posix.value.Advice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The reads of a disk.
 *
 * @param requests empty if only bytes are counted
 * @param bytes empty if nothing is counted
 */
public record DiskReads(OptionalLong requests, OptionalLong bytes) {
  private static final Path OF_THIS_THREAD = Path.of("/proc/thread-self/io");
  private static final String READ_BYTES = "read_bytes: ";
  private static final int PROBE_BYTES = 1 << 20;
  private static final DiskReads NOBODY_COUNTS =
      new DiskReads(OptionalLong.empty(), OptionalLong.empty());

  /** A function that returns the reads so far. */
  @FunctionalInterface
  public interface Counter {
    DiskReads now() throws IOException;
  }

  /** Returns a counter for a disk that nothing else uses: /proc/diskstats, proc_diskstats(5). */
  public static Counter ofDevice(Path directory) {
    return () -> {
      DiskStatistics all = DiskStatistics.of(directory);
      return new DiskReads(OptionalLong.of(all.reads()), OptionalLong.of(all.readBytes()));
    };
  }

  /**
   * Returns a counter for the calling thread, on all disks: read_bytes of proc_pid_io(5). It
   * includes what the kernel reads ahead on the thread's behalf. It counts nothing if the kernel
   * keeps no such account, or if the account does not include reads of the directory: NFS, FUSE,
   * 9p, tmpfs. A test finds this out with a file that it drops from the page cache, reads, and
   * deletes.
   */
  public static Counter ofThisThread(FileCalls calls, Path directory) throws IOException {
    Counter counter = ofThisThread();
    return countsColdReads(counter, calls, directory) ? counter : () -> NOBODY_COUNTS;
  }

  private static boolean countsColdReads(Counter counter, FileCalls calls, Path directory)
      throws IOException {
    Path probe = Files.createTempFile(directory, "probe", ".bin");
    try {
      Files.write(probe, new byte[PROBE_BYTES]);
      try (Descriptor file =
          Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, PosixPath.of(probe), Set.of())) {
        calls.fsync(file.fd());
        calls.fadvise(file.fd(), 0, 0, Advice.DONT_NEED);
      }
      DiskReads before = counter.now();
      var _ = Files.readAllBytes(probe);
      // The count includes classes that the thread loads meanwhile, which are far smaller.
      return counter.now().since(before).bytes().orElse(0) >= PROBE_BYTES / 2;
    } finally {
      Files.delete(probe);
    }
  }

  private static Counter ofThisThread() {
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

  /** Returns the reads since an earlier count. */
  public DiskReads since(DiskReads earlier) {
    return new DiskReads(difference(requests, earlier.requests), difference(bytes, earlier.bytes));
  }

  private static OptionalLong difference(OptionalLong later, OptionalLong earlier) {
    return later.isPresent() && earlier.isPresent()
        ? OptionalLong.of(later.getAsLong() - earlier.getAsLong())
        : OptionalLong.empty();
  }
}
