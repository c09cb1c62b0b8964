package dev.tailwater.cli;

import dev.tailwater.cli.command.CommandTree;
import dev.tailwater.cli.host.CheckedOutput;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UnwritableOutputException;
import dev.tailwater.cli.ship.StopSignals;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * One run of the program: parses, runs the command, turns whatever happens into an exit code and a
 * message.
 */
public final class Program {
  /** The labels of what can be empty, or is refused by the command with a better message. */
  private static final Set<String> MAY_BE_EMPTY = Set.of("KEY", "TAG", "SOURCE... DESTINATION");

  private final Surroundings surroundings;
  private final Supplier<StopSignals> signals;

  public Program(Surroundings surroundings) {
    this(surroundings, () -> StopSignals.listen(surroundings));
  }

  /** Creates one whose signals are listened for already. */
  Program(Surroundings surroundings, StopSignals signals) {
    this(surroundings, () -> signals);
  }

  private Program(Surroundings surroundings, Supplier<StopSignals> signals) {
    this.surroundings = surroundings;
    this.signals = signals;
  }

  /** Runs the command that the arguments name; returns the exit code. */
  public int run(String... args) {
    FailureReport failures = new FailureReport(surroundings);
    CommandLine commandLine = CommandTree.create(surroundings, signals, List.of(args));
    commandLine.setOut(new PrintWriter(surroundings.out(), true, StandardCharsets.UTF_8));
    commandLine.setErr(new PrintWriter(surroundings.err(), true, StandardCharsets.UTF_8));
    commandLine.setParameterExceptionHandler((e, arguments) -> failures.wrongUsage(e).number());
    commandLine.setExecutionExceptionHandler((e, command, result) -> failures.failed(e).number());
    commandLine.setExecutionStrategy(Program::execute);
    int exitCode;
    try {
      exitCode = commandLine.execute(args);
    } catch (Error e) {
      // The library catches exceptions only, and the user gets a message for errors too.
      exitCode = failures.failed(e).number();
    }
    return withOutput(exitCode, failures);
  }

  /** Returns the exit code of a command that has printed, unless it says more than the output. */
  private int withOutput(int exitCode, FailureReport failures) {
    try {
      new CheckedOutput(surroundings.out()).flush();
    } catch (UnwritableOutputException e) {
      boolean listsMissing = exitCode == ExitCode.PARTIAL.number();
      if (exitCode == ExitCode.DONE.number() || (listsMissing && !e.readerIsGone())) {
        return failures.failed(e).number();
      }
    }
    return exitCode;
  }

  /** Refuses what the parser lets pass and no command takes. */
  private static int execute(ParseResult given) {
    for (CommandLine command : given.asCommandLineList()) {
      List<String> unknown = command.getUnmatchedArguments();
      if (!unknown.isEmpty() && command.getCommandSpec().helpCommand()) {
        throw new UnmatchedArgumentException(command, unknown);
      }
      for (ArgSpec argument : command.getParseResult().matchedArgs()) {
        // A variable that is not set, in quotes: it must not become the default.
        if (argument.originalStringValues().contains("")
            && !MAY_BE_EMPTY.contains(argument.paramLabel())) {
          throw new ParameterException(
              command, name(argument) + ": expected a value, not an empty text");
        }
      }
    }
    return new RunLast().execute(given);
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }
}
