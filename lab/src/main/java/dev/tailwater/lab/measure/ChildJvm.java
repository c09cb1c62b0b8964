package dev.tailwater.lab.measure;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A child JVM that reads one command from each line of its standard input, and answers each with a
 * line of numbers. For one thread.
 */
public final class ChildJvm implements AutoCloseable {
  private static final int EXIT_SECONDS = 60;
  private static final int REMEMBERED_LINES = 5;

  private final String name;
  private final Process process;
  private final BufferedWriter commands;
  private final BufferedReader answers;

  private final Object errorsLock = new Object();

  /** The last lines of its standard error, for messages; they are shown nowhere else. */
  @GuardedBy("errorsLock")
  private final Deque<String> errors = new ArrayDeque<>();

  private final Thread errorReader;

  private ChildJvm(String name, Process process) {
    this.name = name;
    this.process = process;
    this.commands =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.errorReader = Thread.ofPlatform().daemon().start(this::readErrors);
  }

  private void readErrors() {
    try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        synchronized (errorsLock) {
          errors.addLast(line);
          if (errors.size() > REMEMBERED_LINES) {
            errors.removeFirst();
          }
        }
      }
    } catch (IOException e) {
      synchronized (errorsLock) {
        errors.addLast(e.toString());
      }
    }
  }

  /**
   * Starts the main class with the class path of this JVM and of the lab.
   *
   * @param name the name in messages
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
    words.addAll(List.of("-cp", ChildClassPath.text(), main.getName()));
    words.addAll(arguments);
    return new ChildJvm(name, new ProcessBuilder(words).start());
  }

  /**
   * Sends a command and returns the answer.
   *
   * @throws IOException the child ended; the message has what it last said on its standard error
   */
  public double[] ask(Object... words) throws IOException {
    String command = String.join(" ", Arrays.stream(words).map(String::valueOf).toList());
    String answer = answered(command);
    if (answer == null) {
      throw new IOException(name + " ended at: " + command + saidLast());
    }
    return Arrays.stream(answer.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
  }

  /** Returns null if the child has ended. */
  private @Nullable String answered(String command) throws IOException {
    try {
      commands.write(command + "\n");
      commands.flush();
    } catch (IOException endedBefore) {
      return null;
    }
    return answers.readLine();
  }

  private String saidLast() {
    try {
      errorReader.join(TimeUnit.SECONDS.toMillis(1));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    synchronized (errorsLock) {
      return errors.isEmpty() ? "" : "; it said: " + String.join(" / ", errors);
    }
  }

  /** Ends the process by SIGKILL. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Ends the process. A command must have closed what it has open; otherwise nothing does. */
  @Override
  public void close() {
    try {
      closeCommands();
      if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void closeCommands() {
    try {
      commands.close();
    } catch (IOException endedBefore) {
      // What could not be written is not needed any more.
    }
  }
}
