package dev.tailwater.bench.stores;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An {@link EngineChild}, seen from the process that tells it what to do. */
final class EngineProcess implements AutoCloseable {
  private static final int EXIT_SECONDS = 60;

  /** What Chronicle Map and lmdbjava need of JDK 25; the same for every engine. */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
          "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
          "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "-Dchronicle.analytics.disable=true",
          "-Dlmdbjava.disable.checks=true");

  private final EngineKind kind;
  private final Process process;
  private final BufferedWriter commands;
  private final BufferedReader answers;

  private EngineProcess(EngineKind kind, Process process) {
    this.kind = kind;
    this.process = process;
    this.commands =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static EngineProcess start(EngineKind kind, Dataset dataset, Path directory, int heapMebibytes)
      throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(JVM_OPTIONS);
    words.addAll(
        List.of("-Xmx" + heapMebibytes + "m", "-cp", System.getProperty("java.class.path")));
    words.addAll(List.of(EngineChild.class.getName(), kind.label()));
    words.addAll(List.of(Long.toString(dataset.count()), Integer.toString(dataset.valueBytes())));
    words.add(directory.toString());
    return new EngineProcess(
        kind, new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  EngineKind kind() {
    return kind;
  }

  /** Has the child do this, and gives its answer. */
  double[] ask(Object... words) throws IOException {
    String command = String.join(" ", Arrays.stream(words).map(String::valueOf).toList());
    commands.write(command + "\n");
    commands.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException(kind.label() + " ended at: " + command);
    }
    return Arrays.stream(answer.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Ends the process; what is open is closed before by a command, or not at all. */
  @Override
  public void close() throws IOException {
    try {
      commands.close();
      if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
