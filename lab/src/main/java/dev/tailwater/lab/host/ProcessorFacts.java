package dev.tailwater.lab.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The processors and their caches. */
record ProcessorFacts(SystemFiles files) {
  private static final String FIRST = "sys/devices/system/cpu/cpu0/";

  void addTo(FactList facts) {
    facts.add(
        "processor",
        files.value("proc/cpuinfo", "model name").orElse(System.getProperty("os.arch")));
    facts.add("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.add("processor caches", caches());
    facts.add("frequency governor", files.text(FIRST + "cpufreq/scaling_governor"));
    facts.add(
        "processor time limit",
        files.text("sys/fs/cgroup/cpu.max").filter(limit -> !limit.startsWith("max")));
  }

  private Optional<String> caches() {
    List<String> caches = new ArrayList<>();
    for (String index : files.names(FIRST + "cache")) {
      String at = FIRST + "cache/" + index + "/";
      Optional<String> level = files.text(at + "level");
      Optional<String> size = files.text(at + "size");
      if (level.isPresent() && size.isPresent()) {
        caches.add("L" + level.get() + kind(files.text(at + "type")) + " " + size(size.get()));
      }
    }
    return caches.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", caches));
  }

  private static String kind(Optional<String> type) {
    return switch (type.orElse("")) {
      case "Data" -> "d";
      case "Instruction" -> "i";
      default -> "";
    };
  }

  /** Formats a size: {@code 32K} becomes {@code 32 KiB}. */
  private static String size(String text) {
    if (!text.matches("[0-9]{1,9}K")) {
      return text;
    }
    long kibibytes = Long.parseLong(text.substring(0, text.length() - 1));
    return kibibytes % 1024 == 0 ? kibibytes / 1024 + " MiB" : kibibytes + " KiB";
  }
}
