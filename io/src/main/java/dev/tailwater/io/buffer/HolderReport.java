package dev.tailwater.io.buffer;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Describes who holds which buffers, and for how long. */
final class HolderReport {
  private static final int MAX_NAMED = 8;

  private HolderReport() {}

  private record Holding(String holder, long sizeBytes) {}

  /** {@code 60 MiB in use: 3 × 10 MiB by 'sealer-1' for 12 s, ...}; longest first. */
  static String describe(Collection<Lease> leases, long nowNanos) {
    long totalBytes = leases.stream().mapToLong(lease -> lease.memory().byteSize()).sum();
    if (leases.isEmpty()) {
      return "nothing in use";
    }
    List<Lease> longestFirst =
        leases.stream()
            .sorted(Comparator.comparingLong(lease -> lease.sinceNanos() - nowNanos))
            .toList();
    Map<Holding, List<Lease>> byHolding =
        longestFirst.stream()
            .collect(
                Collectors.groupingBy(
                    lease -> new Holding(lease.holder(), lease.memory().byteSize()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    String named =
        byHolding.entrySet().stream()
            .limit(MAX_NAMED)
            .map(
                entry ->
                    "%d × %s by '%s' for %s"
                        .formatted(
                            entry.getValue().size(),
                            size(entry.getKey().sizeBytes()),
                            entry.getKey().holder(),
                            time(nowNanos - entry.getValue().getFirst().sinceNanos())))
            .collect(Collectors.joining(", "));
    int more = byHolding.size() - MAX_NAMED;
    return size(totalBytes) + " in use: " + named + (more > 0 ? ", and " + more + " more" : "");
  }

  /** {@code 10 MiB}, {@code 12 KiB}, {@code 1.5 MiB}, {@code 100 B}. */
  static String size(long bytes) {
    if (bytes >= 1 << 20) {
      return scaled(bytes, 1 << 20) + " MiB";
    }
    return bytes >= 1 << 10 ? scaled(bytes, 1 << 10) + " KiB" : bytes + " B";
  }

  private static String scaled(long bytes, long unit) {
    return bytes % unit == 0
        ? Long.toString(bytes / unit)
        : String.format(Locale.ROOT, "%.1f", (double) bytes / unit);
  }

  /** {@code 12 s}, or {@code 250 ms} below ten seconds. */
  static String time(long nanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    return millis < 10_000 ? millis + " ms" : millis / 1_000 + " s";
  }
}
