package dev.tailwater.bench;

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

/**
 * A JVM of its own that does what it is told: one command a line on its standard input, and for
 * each one line of numbers as its answer.
 */
public final class ChildJvm implements AutoCloseable {
  private static final int EXIT_SECONDS = 60;

  private final String name;
  private final Process process;
  private final BufferedWriter commands;
  private final BufferedReader answers;

  private ChildJvm(String name, Process process) {
    this.name = name;
    this.process = process;
    this.commands =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts the main class with this JVM's class path.
   *
   * @param name as in messages
   * @param launcher words before those of the JVM; may be empty
   * @param options of the JVM
   */
  public static ChildJvm start(
      String name,
      List<String> launcher,
      List<String> options,
      Class<?> main,
      List<String> arguments)
      throws IOException {
    List<String> words = new ArrayList<>(launcher);
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(options);
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    words.addAll(arguments);
    return new ChildJvm(
        name, new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Has the child do this, and gives its answer. */
  public double[] ask(Object... words) throws IOException {
    String command = String.join(" ", Arrays.stream(words).map(String::valueOf).toList());
    commands.write(command + "\n");
    commands.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException(name + " ended at: " + command);
    }
    return Arrays.stream(answer.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
  }

  /** SIGKILL. */
  public void kill() throws InterruptedException {
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
