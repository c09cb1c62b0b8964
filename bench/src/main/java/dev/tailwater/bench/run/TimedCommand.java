package dev.tailwater.bench.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs a command to its end and tells what it took. The processor time is that of the command, all
 * its threads and all processes of a pipeline, in user mode and in the kernel, as bash's {@code
 * time} keyword gives it (getrusage(2), milliseconds). What the kernel's own threads do later, such
 * as writing pages back, is in nobody's account.
 */
public final class TimedCommand {
  private final Path scratch;

  /**
   * @param scratch a directory for what the command writes to standard error
   */
  public TimedCommand(Path scratch) {
    this.scratch = scratch;
  }

  public record Cost(double wallSeconds, double processorSeconds) {}

  /** A command of words. */
  public Cost run(List<String> words, Map<String, String> environment)
      throws IOException, InterruptedException {
    return shell("\"$@\" > /dev/null", words, environment);
  }

  /** A shell script, whose arguments are words. */
  public Cost shell(String script, List<String> words, Map<String, String> environment)
      throws IOException, InterruptedException {
    Path errors = scratch.resolve("stderr");
    String timed =
        "TIMEFORMAT='%R %U %S'; set -o pipefail; errors=$1; shift; time { "
            + script
            + "; } 2> \"$errors\"";
    List<String> command = new ArrayList<>(List.of("bash", "-c", timed, "bash", errors.toString()));
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(words + " failed: " + Files.readString(errors) + output);
    }
    String[] figures = output.trim().split(" ", -1);
    return new Cost(
        Double.parseDouble(figures[0]),
        Double.parseDouble(figures[1]) + Double.parseDouble(figures[2]));
  }
}
