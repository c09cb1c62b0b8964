package dev.tailwater.bench.stores;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Memory of a process in MiB, as proc_pid_status(5) and the JVM tell it.
 *
 * @param heapUsed on the Java heap after a collection
 * @param heapCommitted that the heap has from the kernel
 * @param resident all of it
 * @param residentAnonymous of it, what belongs to no file: Java heap, native memory, stacks
 * @param residentFile of it, pages of mapped files: data that the engine maps, and libraries
 */
record MemoryUse(
    double heapUsed,
    double heapCommitted,
    double resident,
    double residentAnonymous,
    double residentFile) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final double KIBIBYTES_OF_MIB = 1024;
  private static final double BYTES_OF_MIB = 1 << 20;

  /** Collects garbage first. */
  static MemoryUse ofThisProcess() throws IOException {
    System.gc();
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    List<String> lines = Files.readAllLines(STATUS);
    return new MemoryUse(
        heap.getUsed() / BYTES_OF_MIB,
        heap.getCommitted() / BYTES_OF_MIB,
        mebibytes(lines, "VmRSS:"),
        mebibytes(lines, "RssAnon:"),
        mebibytes(lines, "RssFile:") + mebibytes(lines, "RssShmem:"));
  }

  private static double mebibytes(List<String> lines, String name) throws IOException {
    return lines.stream()
            .filter(line -> line.startsWith(name))
            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
            .findFirst()
            .orElseThrow(() -> new IOException(STATUS + " has no " + name))
        / KIBIBYTES_OF_MIB;
  }

  /** Native memory: what is anonymous and not the Java heap. */
  double nativeMemory() {
    return Math.max(0, residentAnonymous - heapCommitted);
  }

  /** In the order of the components. */
  String toWords() {
    return String.format(
        Locale.ROOT,
        "%.2f %.2f %.2f %.2f %.2f",
        heapUsed,
        heapCommitted,
        resident,
        residentAnonymous,
        residentFile);
  }

  static MemoryUse of(double[] words) {
    return new MemoryUse(words[0], words[1], words[2], words[3], words[4]);
  }
}
