package dev.tailwater.cli;

import dev.tailwater.cli.command.NoCommandException;
import dev.tailwater.cli.host.OpenFileShortage;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UnwritableOutputException;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Printable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import picocli.CommandLine.ParameterException;

/**
 * The report of a failure to the user: what went wrong, and what to do. All failures become
 * messages here.
 */
final class FailureReport {
  private static final String DEBUG_HINT = "run it again with TAILWATER_DEBUG=1 to see where";

  private final Surroundings surroundings;

  FailureReport(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  ExitCode wrongUsage(ParameterException e) {
    if (e instanceof NoCommandException) {
      surroundings.err().print(e.getMessage());
      return ExitCode.USAGE;
    }
    UsageProblem problem = new UsageProblem(e);
    say(problem.message());
    hint(problem.hint());
    trace(e);
    return ExitCode.USAGE;
  }

  ExitCode failed(Throwable e) {
    trace(e);
    if (e instanceof UnwritableOutputException output && output.readerIsGone()) {
      // Whoever reads as much as he wants needs no words about it.
      return ExitCode.READER_GONE;
    }
    if (e instanceof UserException known) {
      say(known.getMessage());
      boolean mayLackFiles = known.exitCode() != ExitCode.USAGE;
      Optional<String> shortage = mayLackFiles ? OpenFileShortage.hint() : Optional.empty();
      shortage.or(known::hint).ifPresent(this::hint);
      return known.exitCode();
    }
    Optional<String> shortage = OpenFileShortage.hint();
    say(FailureText.message(e));
    hint(shortage.or(() -> FailureText.hint(e)).orElse(DEBUG_HINT));
    return FailureText.exitCode(e);
  }

  private void say(@org.jspecify.annotations.Nullable String message) {
    surroundings.err().println("tailwater: " + Printable.text(String.valueOf(message)));
  }

  private void hint(String hint) {
    surroundings.err().println("Hint: " + Printable.text(hint));
  }

  private void trace(Throwable e) {
    if (surroundings.debug()) {
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      surroundings.err().print(Printable.text(trace.toString()));
    }
  }
}
