package dev.tailwater.bench.target;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The cluster that the tests of destination/hdfs use, of three data nodes, in a process of its own;
 * what it is told is in their {@code src/test/cluster/ClusterProcess.java}. Thread-safe.
 */
final class ClusterChild implements AutoCloseable {
  private static final int DATA_NODES = 3;

  private final Process process;
  private final Writer commands;
  private final BufferedReader answers;

  private ClusterChild(Process process) {
    this.process = process;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts it; {@link #answer} tells when it serves.
   *
   * @param module the directory of destination/hdfs
   * @param directory for its data and its log
   */
  static ClusterChild start(Path module, Path directory) throws IOException {
    Path jars = module.resolve("target/servers");
    if (!Files.isDirectory(jars)) {
      throw new IOException(
          "there is no cluster in "
              + jars
              + ": ./mvnw -q -pl destination/hdfs dependency:copy@fetch-the-cluster-for-tests"
              + " fetches it");
    }
    // Hadoop counts anew each second.
    Files.writeString(directory.resolve("hadoop-metrics2.properties"), "*.period=1\n");
    List<String> classPath = new ArrayList<>(List.of(directory.toString()));
    try (Stream<Path> files = Files.list(jars)) {
      files.map(jar -> jar.toAbsolutePath().toString()).forEach(classPath::add);
    }
    return new ClusterChild(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                String.join(":", classPath),
                module.resolve("src/test/cluster/ClusterProcess.java").toAbsolutePath().toString(),
                directory.toString(),
                Integer.toString(DATA_NODES))
            .directory(directory.toFile())
            .redirectError(directory.resolve("log").toFile())
            .start());
  }

  /** Tells it to do something, and waits until it is done. */
  synchronized List<String> tell(String command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
    return answer();
  }

  /** The lines up to the one that says that all went well. */
  synchronized List<String> answer() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.equals("ok")) {
        return lines;
      }
      if (line.startsWith("failed ")) {
        throw new IOException("the cluster: " + line);
      }
      lines.add(line);
    }
    throw new IOException("the cluster has ended: " + lines);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
