package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.command.metric.MetricsText;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.host.WaitNote;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.JsonText;
import dev.tailwater.cli.value.Durations;
import dev.tailwater.delivery.control.ControlClient;
import dev.tailwater.delivery.control.ControlJson;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tailwater status}. */
@Command(
    name = "status",
    description =
        "Show what is at risk, as the running agent says, or else the state that the last"
            + " one left. With FILE, exit with 0 only if each is delivered as it is now: to its end,"
            + " and compared since it was last written to.")
public final class StatusCommand implements Callable<Integer> {
  private static final Duration ASK_AGAIN = Duration.ofMillis(50);

  private static final String ERROR_HINT =
      "Hint: the agent opens a FILE itself: the path must lead to a regular file that its user may"
          + " read; 'tailwater ls' says what was archived of files that are gone";

  private final Surroundings surroundings;

  @Parameters(arity = "0..*", paramLabel = "FILE", description = "Files that the agent ships.")
  private List<String> files = new ArrayList<>();

  @Mixin private AgentQueries agent = new AgentQueries();

  @Option(
      names = "--wait",
      description = "Wait until every FILE is delivered, at most as long as --timeout says.")
  private boolean wait;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description =
          "How long --wait waits; then the exit code is 3, as without --wait. Default: 60s.")
  private Optional<String> timeout = Optional.empty();

  @Option(names = "--json", description = "Print the answer as JSON.")
  private boolean json;

  @Option(
      names = "--metrics",
      description =
          "Print metrics in the OpenMetrics text format, for node_exporter's textfile collector or"
              + " any other scraper.")
  private boolean metrics;

  public StatusCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    Duration limit = timeout();
    if (timeout.isPresent() && !wait) {
      throw UserException.noEffect("--timeout", "--wait");
    }
    if (wait && files.isEmpty()) {
      throw UserException.usage("--wait waits for files", "name the files to wait for");
    }
    if (metrics && !files.isEmpty()) {
      throw UserException.usage("--metrics are of the agent, not of files", "leave out the files");
    }
    if (!files.isEmpty()) {
      return filesDelivered(limit).number();
    }
    if (metrics && json) {
      throw UserException.usage("--metrics is not JSON", "leave one of --json and --metrics out");
    }
    JsonText status;
    try (WaitNote _ =
        WaitNote.begin(
            surroundings,
            WaitNote.AFTER,
            "waiting: the agent does not answer, or without one the file system below a file that"
                + " the last one knew")) {
      status =
          agent.askOrRemember(
              surroundings, ControlClient::status, memory -> ControlJson.status(memory.report()));
    }
    if (metrics) {
      MetricsText.print(status, surroundings.out());
    } else if (json) {
      Json.object(surroundings.out(), status::writeFields);
    } else {
      StatusText.print(status, surroundings.out());
    }
    return ExitCode.DONE.number();
  }

  private List<FileQueries.Answer> askOnce() throws IOException {
    return FileQueries.ask(agent, surroundings, files);
  }

  private List<FileQueries.Answer> waitForFiles(Duration limit) throws IOException {
    long untilNanos = System.nanoTime() + limit.toNanos();
    Path state = agent.stateDirectory(surroundings);
    StateAccess.requireOpen(state);
    while (true) {
      boolean isLast = System.nanoTime() - untilNanos >= 0;
      try {
        List<FileQueries.Answer> answers = askOnce();
        if (isLast || FileQueries.exitCode(answers) == ExitCode.DONE) {
          return answers;
        }
      } catch (UserException e) {
        if (isLast || !Files.isDirectory(state)) {
          throw e;
        } // An agent that is starting does not answer yet.
      }
      try {
        Thread.sleep(ASK_AGAIN);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for files");
      }
    }
  }

  private Duration timeout() {
    try {
      return Durations.parse(timeout.orElse("60s"));
    } catch (IllegalArgumentException e) {
      throw UserException.usage("--timeout: " + e.getMessage(), "for example --timeout 5m");
    }
  }

  private ExitCode filesDelivered(Duration limit) throws IOException {
    List<FileQueries.Answer> answers;
    try (WaitNote _ =
        WaitNote.begin(
            surroundings,
            wait ? limit.plus(WaitNote.AFTER) : WaitNote.AFTER,
            "waiting: the agent does not answer, or the file system below one of "
                + String.join(", ", files))) {
      answers = wait ? waitForFiles(limit) : askOnce();
    }
    if (json) {
      FileAnswers.write(answers, surroundings.out());
    } else {
      FileAnswers.print(answers, surroundings.out());
      if (answers.stream().anyMatch(FileQueries.Answer::isError)) {
        surroundings.err().println(ERROR_HINT);
      }
    }
    return FileQueries.exitCode(answers);
  }
}
