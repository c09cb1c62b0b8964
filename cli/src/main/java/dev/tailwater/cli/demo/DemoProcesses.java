package dev.tailwater.cli.demo;

import dev.tailwater.cli.host.OwnCommand;
import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The processes of a demo; none of them outlives it. */
final class DemoProcesses implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final Path output;
  private final List<Process> started = new ArrayList<>();

  DemoProcesses(Path output) {
    this.output = output;
  }

  /** Starts this program once more, its input a pipe; its messages go to a file. */
  synchronized Process start(List<String> arguments) throws IOException {
    Process process =
        new ProcessBuilder(OwnCommand.with(arguments))
            .redirectOutput(Redirect.appendTo(output.toFile()))
            .redirectError(Redirect.appendTo(output.toFile()))
            .start();
    started.add(process);
    return process;
  }

  /** Waits for the end; the exit code. */
  int awaitEnd(Process process, String what) throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw UserException.failed(
          what + " has not ended within " + PATIENCE_SECONDS + " s", "see " + output);
    }
    return process.exitValue();
  }

  /** Runs to the end and expects that all is well. */
  void run(List<String> arguments) throws IOException, InterruptedException {
    int exitCode = awaitEnd(start(arguments), arguments.getFirst());
    if (exitCode != 0) {
      throw UserException.failed(
          "'tailwater " + arguments.getFirst() + "' ended with " + exitCode, "see " + output);
    }
  }

  @Override
  public synchronized void close() {
    started.forEach(Process::destroyForcibly);
  }
}
