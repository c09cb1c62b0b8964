package dev.tailwater.posix.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Runs a system program and waits until it ends. */
public final class Command {
  /** mkfs and mount are in directories that are not in every user's PATH. */
  private static final List<String> DIRECTORIES = List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin");

  private Command() {}

  /** The exit code of a command, with its output to both streams. */
  public record Result(List<String> command, int exitCode, String output) {
    /** Returns whether the exit code is 0. */
    public boolean succeeded() {
      return exitCode == 0;
    }

    /** Throws an exception with the command and its output, unless the command succeeded. */
    public void requireSuccess() throws IOException {
      if (!succeeded()) {
        throw new IOException(toString());
      }
    }

    @Override
    public String toString() {
      return String.join(" ", command) + ": exit code " + exitCode + " " + output.strip();
    }
  }

  /** Returns whether the program is installed. */
  public static boolean exists(String program) {
    return find(program).findFirst().isPresent();
  }

  private static Stream<Path> find(String program) {
    return DIRECTORIES.stream().map(directory -> Path.of(directory, program)).filter(Files::exists);
  }

  static List<String> with(String[] command, String last) {
    return Stream.concat(Arrays.stream(command), Stream.of(last)).toList();
  }

  /** Runs a command; its first word is the name of a program in one of the system directories. */
  public static Result run(List<String> command) throws IOException {
    String program =
        find(command.getFirst())
            .findFirst()
            .orElseThrow(() -> new IOException(command.getFirst() + " is not installed"))
            .toString();
    Process process =
        new ProcessBuilder(Stream.concat(Stream.of(program), command.stream().skip(1)).toList())
            .redirectErrorStream(true)
            .start();
    try {
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Result(command, process.waitFor(), output);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + program + " ran", e);
    }
  }
}
