package dev.tailwater.bench.store;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.OpenFlag;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench store-recovery}: how long a data-file store takes to open after a clean close, and
 * after the process that loaded it was killed, with and without its files in the page cache. Each
 * opening is in a new JVM with a heap of 64 MiB.
 */
@Command(name = "store-recovery", description = "Opening a data-file store of many keys.")
public final class StoreRecoveryBenchmark implements Callable<Integer> {
  @Option(names = "--work", required = true, paramLabel = "DIR", description = "A directory.")
  private Path work = Path.of("");

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--heap-mib",
      paramLabel = "N",
      description = "Heap of the JVM that loads and opens (default: ${DEFAULT-VALUE}).")
  private int heapMebibytes = 64;

  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "KEYSxBYTES",
      description = "Keys, and bytes of each value (default: ${DEFAULT-VALUE}).")
  private List<String> sizes = List.of("5000000x100", "200000x4096");

  private final FileCalls calls = LinuxFileCalls.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path base = Files.createDirectories(work).toRealPath().resolve("store-recovery");
    RunReport report =
        new RunReport("store-recovery", work, ProgramOptions.directories(runs))
            .condition(
                "command",
                "bench store-recovery --rounds %d --heap-mib %d --sizes %s"
                    .formatted(rounds, heapMebibytes, String.join(",", sizes)));
    try {
      for (String size : sizes) {
        String[] numbers = size.split("x", -1);
        report.result(size, measure(base, numbers[0], numbers[1]));
      }
    } finally {
      ProgramOptions.delete(base);
    }
    report.finish();
    return 0;
  }

  private Map<String, Samples> measure(Path base, String keys, String valueBytes)
      throws IOException, InterruptedException {
    Map<String, Samples> samples = new LinkedHashMap<>();
    for (boolean killed : new boolean[] {false, true}) {
      Path loaded = base.resolve("loaded");
      ProgramOptions.delete(loaded);
      Files.createDirectories(base);
      String[] load = load(loaded, keys, valueBytes, killed);
      add(samples, "loadPeakResidentMebibytes", Double.parseDouble(load[0]) / 1024);
      add(samples, "loadHeapMebibytes", Double.parseDouble(load[1]) / 1024);
      for (int round = 0; round < rounds; round++) {
        for (boolean cold : new boolean[] {false, true}) {
          // Opening changes the files: each time begins with a copy of what was left.
          Path copy = base.resolve("copy");
          copy(loaded, copy, cold);
          String[] figures = run("open", copy, keys, valueBytes);
          String name = (killed ? "killed" : "closed") + (cold ? "Cold" : "Warm");
          add(samples, name + "Millis", Double.parseDouble(figures[0]) / 1000);
          add(samples, name + "PeakResidentMebibytes", Double.parseDouble(figures[1]) / 1024);
          add(samples, name + "HeapMebibytes", Double.parseDouble(figures[2]) / 1024);
          add(samples, name + "ProcessorMillis", Double.parseDouble(figures[3]) / 1000);
          System.err.printf("%sx%s %s %s us%n", keys, valueBytes, name, figures[0]);
        }
      }
    }
    return samples;
  }

  private static void add(Map<String, Samples> samples, String name, double value) {
    samples.computeIfAbsent(name, any -> new Samples()).add(value);
  }

  private String[] load(Path directory, String keys, String valueBytes, boolean killed)
      throws IOException, InterruptedException {
    Process child = start("load", directory, keys, valueBytes);
    BufferedReader output = child.inputReader(StandardCharsets.UTF_8);
    String line = output.readLine();
    if (killed) {
      child.destroyForcibly(); // SIGKILL
      child.waitFor();
    } else {
      child.getOutputStream().close();
      awaitSuccess(child);
    }
    return figures(line);
  }

  private String[] run(String what, Path directory, String keys, String valueBytes)
      throws IOException, InterruptedException {
    Process child = start(what, directory, keys, valueBytes);
    child.getOutputStream().close();
    String line = child.inputReader(StandardCharsets.UTF_8).readLine();
    awaitSuccess(child);
    return figures(line);
  }

  private Process start(String what, Path directory, String keys, String valueBytes)
      throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-Xmx" + heapMebibytes + "m",
            "-cp",
            System.getProperty("java.class.path"),
            StoreRecoveryChild.class.getName(),
            what,
            directory.toString(),
            keys,
            valueBytes));
    return new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static void awaitSuccess(Process child) throws IOException, InterruptedException {
    if (child.waitFor() != 0) {
      throw new IOException("the store's process ended with exit code " + child.exitValue());
    }
  }

  private static String[] figures(String line) throws IOException {
    if (line == null) {
      throw new IOException("the store's process said nothing");
    }
    return line.split(" ", -1);
  }

  private void copy(Path from, Path to, boolean cold) throws IOException {
    ProgramOptions.delete(to);
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.sorted().toList()) {
        Path copy = Files.copy(file, to.resolve(file.getFileName().toString()));
        int fd =
            calls.open(FileCalls.AT_FDCWD, PosixPath.of(copy), EnumSet.noneOf(OpenFlag.class), 0);
        calls.fsync(fd);
        if (cold) {
          calls.fadvise(fd, 0, 0, Advice.DONT_NEED);
        }
        calls.close(fd);
      }
    }
  }
}
