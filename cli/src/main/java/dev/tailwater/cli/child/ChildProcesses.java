package dev.tailwater.cli.child;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.cli.host.OwnCommand;
import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A group of further processes of this program. None of them outlives the group. */
public final class ChildProcesses implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final Path output;
  private final String whereToLook;

  @GuardedBy("this")
  private final List<Process> started = new ArrayList<>();

  @GuardedBy("this")
  private boolean closed;

  /**
   * Creates an empty group.
   *
   * @param output a file for their messages
   * @param whereToLook hint for the user if a process does not do what it should
   */
  public ChildProcesses(Path output, String whereToLook) {
    this.output = output;
    this.whereToLook = whereToLook;
  }

  /** Starts this program once more, with a pipe as its input; its messages go to the file. */
  public Process start(List<String> arguments) throws IOException {
    return start(arguments, OwnCommand.with(arguments));
  }

  /** The same for a process that ends with this one, however this one ends. */
  Process startBound(List<String> arguments) throws IOException {
    return start(arguments, OwnCommand.endingWithInput(arguments));
  }

  private synchronized Process start(List<String> arguments, ProcessBuilder command)
      throws IOException {
    if (closed) {
      throw new IOException("'tailwater " + arguments.getFirst() + "' is not started any more");
    }
    Process process =
        command
            .redirectOutput(Redirect.appendTo(output.toFile()))
            .redirectError(Redirect.appendTo(output.toFile()))
            .start();
    started.add(process);
    return process;
  }

  /** Waits for the end of a process and returns its exit code. */
  public int awaitEnd(Process process, String what) throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw UserException.failed(
          what + " has not ended within " + PATIENCE_SECONDS + " s", whereToLook);
    }
    return process.exitValue();
  }

  /** Runs this program to its end; fails unless it exits with 0. */
  public void run(List<String> arguments) throws IOException, InterruptedException {
    int exitCode = awaitEnd(start(arguments), arguments.getFirst());
    if (exitCode != 0) {
      throw UserException.failed(
          "'tailwater " + arguments.getFirst() + "' ended with " + exitCode, whereToLook);
    }
  }

  /** The hint for the user if a process does not do what it should. */
  String whereToLook() {
    return whereToLook;
  }

  @Override
  public synchronized void close() {
    closed = true;
    started.forEach(Process::destroyForcibly);
  }
}
