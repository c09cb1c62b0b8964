package dev.tailwater.lab.host;

import java.util.Locale;
import java.util.Optional;

/** The memory, and how the kernel allocates it. */
record MemoryFacts(SystemFiles files) {
  void addTo(FactList facts) {
    facts.add("memory", meminfo("MemTotal"));
    facts.add("memory available", meminfo("MemAvailable"));
    facts.add("swap", meminfo("SwapTotal"));
    facts.add(
        "memory limit",
        files
            .text("sys/fs/cgroup/memory.max")
            .filter(limit -> limit.matches("[0-9]{1,18}"))
            .map(limit -> size(Long.parseLong(limit))));
    facts.add("transparent huge pages", files.chosen("sys/kernel/mm/transparent_hugepage/enabled"));
  }

  private Optional<String> meminfo(String key) {
    return files
        .value("proc/meminfo", key)
        .filter(value -> value.matches("[0-9]{1,15} kB"))
        .map(value -> size(1024 * Long.parseLong(value.substring(0, value.indexOf(' ')))));
  }

  /** Formats a size: {@code 7.7 GiB}, {@code 512 MiB}. */
  static String size(long bytes) {
    double mebibytes = bytes / (double) (1 << 20);
    return mebibytes < 1024
        ? String.format(Locale.ROOT, "%.0f MiB", mebibytes)
        : String.format(Locale.ROOT, "%.1f GiB", mebibytes / 1024);
  }
}
