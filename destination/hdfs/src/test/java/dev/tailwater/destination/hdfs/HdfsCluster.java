package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cluster of one NameNode and three data nodes, or of two NameNodes, in a process of its own.
 * {@code src/test/cluster/ClusterProcess.java} has its commands. Thread-safe.
 */
public final class HdfsCluster implements AutoCloseable {
  private final Process process;
  private final Path directory;
  private final Writer commands;
  private final BufferedReader answers;
  private final int port;

  private HdfsCluster(Process process, Path directory) throws IOException {
    this.process = process;
    this.directory = directory;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.port =
        answer().stream()
            .filter(line -> line.startsWith("port "))
            .map(line -> Integer.parseInt(line.substring("port ".length())))
            .findFirst()
            .orElseThrow();
  }

  /** Starts a cluster; returns when it serves requests. */
  public static HdfsCluster start(int dataNodes, String... options) throws IOException {
    Path directory = Files.createTempDirectory("hdfs-cluster");
    Files.writeString(directory.resolve("hadoop-metrics2.properties"), "*.period=1\n");
    Path jars = Path.of(property("tailwater.hdfs.cluster"));
    List<String> classPath = new ArrayList<>(List.of(directory.toString()));
    try (Stream<Path> files = Files.list(jars)) {
      files.map(Path::toString).filter(name -> name.endsWith(".jar")).forEach(classPath::add);
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                String.join(":", classPath),
                property("tailwater.hdfs.cluster.main"),
                directory.toString(),
                Integer.toString(dataNodes)));
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(directory.resolve("log").toFile())
            .start();
    try {
      return new HdfsCluster(process, directory);
    } catch (IOException e) {
      process.destroyForcibly();
      throw new IOException(
          "the cluster does not start: " + Files.readString(directory.resolve("log")), e);
    }
  }

  private static String property(String name) {
    return System.getProperty(name, name + " is not set");
  }

  /** Sends a command to the cluster, and waits until it is done. */
  public synchronized List<String> tell(String command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
    return answer();
  }

  private List<String> answer() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.equals("ok")) {
        return lines;
      }
      if (line.startsWith("failed ")) {
        throw new IOException(line);
      }
      lines.add(line);
    }
    throw new IOException("the cluster has ended: " + lines);
  }

  /** Returns the counters of the NameNode and the data nodes, which are up to a second old. */
  public Map<String, Long> metrics() throws IOException {
    return tell("metrics").stream()
        .map(line -> line.split(" "))
        .collect(Collectors.toMap(line -> line[0], line -> Long.parseLong(line[1]), Long::sum));
  }

  public int port() {
    return port;
  }

  /**
   * Returns the directory of the client's configuration, in {@code conf}, and of keytabs, if it has
   * them.
   */
  public Path directory() {
    return directory;
  }

  /** Returns the URI of a directory that nobody else uses, as a user writes it. */
  public String newPlace() {
    return "hdfs://127.0.0.1:" + port + "/archive-" + UUID.randomUUID();
  }

  static Destination open(String uri) throws IOException {
    return Destinations.open(uri, OpenIntent.WRITE, context());
  }

  static DestinationContext context() {
    return new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), new Random());
  }

  /** Stops the cluster and removes what it wrote. */
  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
