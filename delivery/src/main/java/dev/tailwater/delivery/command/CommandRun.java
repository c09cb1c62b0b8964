package dev.tailwater.delivery.command;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs a command to its end, or to its time limit. Its input is empty. */
public final class CommandRun {
  private static final File NOTHING = new File("/dev/null");
  private static final long PAUSE_MILLIS = 20;

  private CommandRun() {}

  /**
   * How a command ended.
   *
   * @param inTime whether it ended within the time limit; otherwise it was killed
   * @param exitCode 128 plus the signal's number if a signal ended it
   */
  public record Outcome(boolean inTime, int exitCode) {
    public boolean isSuccess() {
      return inTime && exitCode == 0;
    }
  }

  /**
   * Runs a command with this process's environment and the given variables. At the time limit it is
   * killed with all its children; children that it leaves running when it ends are left alone.
   *
   * @param lines is given what it writes to its output and error output, line by line, at most
   *     about 100 kB
   * @throws IOException when it cannot be started: no such program, no permission
   */
  public static Outcome run(
      UserCommand command, Map<String, String> variables, Consumer<String> lines)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command.words())
            .redirectErrorStream(true)
            .redirectInput(Redirect.from(NOTHING));
    builder.environment().putAll(variables);
    Process process = builder.start();
    boolean ended = false;
    try (InputStream output = process.getInputStream()) {
      OutputLines cutter = new OutputLines(lines);
      ended = follow(process, output, cutter, System.nanoTime() + command.limit().toNanos());
      cutter.end();
      return new Outcome(ended, ended ? process.exitValue() : -1);
    } finally {
      if (!ended) {
        kill(process);
      }
    }
  }

  /**
   * Reads output until the command ends; false at the time limit. Reads only what is there, so as
   * not to wait for a child that outlives its parent and holds the pipe open.
   */
  private static boolean follow(
      Process process, InputStream output, OutputLines cutter, long deadlineNanos)
      throws IOException, InterruptedException {
    byte[] buffer = new byte[4096];
    while (true) {
      boolean ended = process.waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      // No more than the pipe holds, so that a command that writes endlessly meets its limit.
      for (int i = 0; i < 16 && output.available() > 0; i++) {
        int length = output.read(buffer, 0, Math.min(buffer.length, output.available()));
        cutter.add(buffer, Math.max(0, length));
      }
      if (ended || System.nanoTime() - deadlineNanos >= 0) {
        return ended;
      }
    }
  }

  private static void kill(Process process) {
    // The children first, while their parent is known; twice, for those that are started meanwhile.
    for (int i = 0; i < 2; i++) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
    }
    process.destroyForcibly();
  }
}
