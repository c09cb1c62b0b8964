package dev.tailwater.io.read;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Another JVM that may hang or die: its lines as they come, and what it is told. */
final class ChildJvm implements AutoCloseable {
  private static final int DEADLINE_SECONDS = 90;

  private final Process process;
  private final Writer input;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Thread listener;

  private ChildJvm(Process process) {
    this.process = process;
    this.input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    this.listener = Thread.ofPlatform().daemon().start(this::listen);
  }

  static ChildJvm start(List<String> jvmOptions, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Xmx128m");
    command.add("-XX:-CreateCoredumpOnCrash");
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ChildJvm(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  private void listen() {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      output.lines().forEach(lines::add);
    } catch (IOException e) {
      lines.add("the pipe broke: " + e);
    }
  }

  /** The next line; fails when none comes within the deadline. */
  String nextLine() throws InterruptedException {
    return nextLine(DEADLINE_SECONDS)
        .orElseThrow(() -> new AssertionError("the other JVM says nothing"));
  }

  /** The next line; empty when none comes in time. */
  Optional<String> nextLine(int seconds) throws InterruptedException {
    return Optional.ofNullable(lines.poll(seconds, TimeUnit.SECONDS));
  }

  void tell(String word) throws IOException {
    input.write(word);
    input.flush();
  }

  /** Waits for the end; all lines that were not asked for, and the exit code as the last one. */
  List<String> end() throws InterruptedException {
    if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the other JVM does not end; it said " + lines);
    }
    listener.join();
    List<String> said = new ArrayList<>(lines);
    said.add("exit code " + process.exitValue());
    return said;
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    input.close();
  }
}
