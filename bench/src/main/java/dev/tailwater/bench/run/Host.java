package dev.tailwater.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The machine that is measured on. */
final class Host {
  private Host() {}

  static Map<String, Object> facts(Path measuredOn) throws IOException {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("kernel", System.getProperty("os.version"));
    facts.put("fileSystem", Files.getFileStore(measuredOn).type());
    facts.put("jdk", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("processor", processor());
    facts.put("processors", Runtime.getRuntime().availableProcessors());
    return facts;
  }

  private static String processor() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc/cpuinfo"));
    return lines.stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).trim())
        .findFirst()
        .orElse("unknown");
  }

  /** Mean number of runnable tasks over one, five and fifteen minutes. */
  static String loadAverage() throws IOException {
    String[] words = Files.readString(Path.of("/proc/loadavg")).split(" ", -1);
    return words[0] + " " + words[1] + " " + words[2];
  }
}
