package dev.tailwater.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Resident memory of this process over time; proc_pid_status(5), VmRSS. */
final class ResidentCurve {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String BARS = "▁▂▃▄▅▆▇█";
  private static final int WIDTH = 60;

  private final List<Long> kibibytes = new ArrayList<>();

  void sample() throws IOException {
    kibibytes.add(
        Files.readAllLines(STATUS).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
            .findFirst()
            .orElseThrow(() -> new IOException(STATUS + " has no VmRSS")));
  }

  double minMebibytes() {
    return kibibytes.stream().mapToLong(Long::longValue).min().orElse(0) / 1024.0;
  }

  double maxMebibytes() {
    return kibibytes.stream().mapToLong(Long::longValue).max().orElse(0) / 1024.0;
  }

  /** One bar for each part of the time: its mean, on a scale from nothing to the maximum. */
  String sparkline() {
    StringBuilder line = new StringBuilder();
    int columns = Math.min(WIDTH, kibibytes.size());
    for (int column = 0; column < columns; column++) {
      double mean =
          kibibytes
                  .subList(
                      column * kibibytes.size() / columns,
                      (column + 1) * kibibytes.size() / columns)
                  .stream()
                  .mapToLong(Long::longValue)
                  .average()
                  .orElse(0)
              / 1024.0;
      int bar = (int) Math.min(BARS.length() - 1L, Math.round(mean / maxMebibytes() * 7));
      line.append(BARS.charAt(bar));
    }
    return line.toString();
  }
}
