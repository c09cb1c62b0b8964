package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The packaged program, run as a process like a user runs it. */
public final class Packaged {
  private static final long PATIENCE_SECONDS = 120;

  private Packaged() {}

  /** What a process did. */
  public record Run(int exitCode, String out, String err) {}

  /** A file or directory that the build names to the tests. */
  public static Path built(String property) {
    Path path = Path.of(System.getProperty(property, property + " is not set")).normalize();
    assertTrue(Files.exists(path), path + " is missing; ./mvnw verify makes it");
    return path;
  }

  /** Copies the program, with the times of its files, to where a test may change it. */
  static Path copyInto(Path directory) throws Exception {
    Path home = directory.resolve("tailwater");
    String packed = built("tailwater.distribution").toString();
    Run copy = run(directory, Map.of(), List.of("cp", "-a", packed, home.toString()));
    assertEquals(0, copy.exitCode(), copy.err());
    return home;
  }

  public static String launcher() {
    return built("tailwater.distribution").resolve("bin/tailwater").toString();
  }

  /** Runs the program to its end. */
  static Run tailwater(Path directory, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher()));
    command.addAll(List.of(arguments));
    return run(directory, Map.of(), command);
  }

  /** Runs a command to its end; an empty value takes a variable out of the environment. */
  public static Run run(Path directory, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    return run(directory, environment, command, PATIENCE_SECONDS);
  }

  /** The same for a command that takes long by itself. */
  public static Run run(
      Path directory, Map<String, String> environment, List<String> command, long patienceSeconds)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("out", ".txt");
    Path err = Files.createTempFile("err", ".txt");
    try {
      ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
      putAll(environment, builder.environment());
      Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      process.getOutputStream().close();
      boolean ended = process.waitFor(patienceSeconds, TimeUnit.SECONDS);
      if (!ended) {
        process.destroyForcibly();
      }
      assertTrue(ended, () -> command + " does not end: " + text(err));
      return new Run(process.exitValue(), text(out), text(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** An empty value takes a variable away. */
  static void putAll(Map<String, String> changes, Map<String, String> environment) {
    changes.forEach(
        (name, value) -> {
          if (value.isEmpty()) {
            environment.remove(name);
          } else {
            environment.put(name, value);
          }
        });
  }

  public static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
