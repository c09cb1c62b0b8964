package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.host.StateDirectory;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.JsonText;
import dev.tailwater.delivery.OfflineStatus;
import dev.tailwater.delivery.control.ControlClient;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.StoreLockedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The requests of commands to a running agent, and their common options. */
final class AgentQueries {
  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "State directory of the agent. Default: $STATE_DIRECTORY, else"
              + " $XDG_STATE_HOME/tailwater, else ~/.local/state/tailwater.")
  private Optional<String> state = Optional.empty();

  /** A request to the agent; its answer is empty if none runs. */
  @FunctionalInterface
  interface Question {
    Optional<String> ask(ControlClient client) throws IOException;
  }

  Path stateDirectory(Surroundings surroundings) {
    return StateDirectory.resolve(surroundings, state);
  }

  /** A query of the state directory, if no agent runs. */
  @FunctionalInterface
  interface Memory {
    String tell(OfflineStatus status) throws IOException;
  }

  /** Asks the agent; fails if none runs or the agent could not do it. */
  JsonText ask(Surroundings surroundings, Question question) throws IOException {
    Path directory = stateDirectory(surroundings);
    StateAccess.requireOpen(directory);
    Optional<String> answer = question.ask(new ControlClient(directory));
    if (answer.isEmpty()) {
      StateAccess.requireUnused(directory);
    }
    return understood(
        JsonText.parse(
            answer.orElseThrow(
                () ->
                    UserException.failed(
                        "no agent runs on " + directory,
                        "start one with 'tailwater ship', or say where its state is: --state"
                            + " DIR"))));
  }

  /**
   * Asks the agent or, if none runs, the state that the last one left; fails if the answer is an
   * error.
   */
  JsonText askOrRemember(Surroundings surroundings, Question question, Memory memory)
      throws IOException {
    return understood(askOrRememberErrors(surroundings, question, memory));
  }

  /** Asks the agent or, if none runs, the state that the last one left; an error is returned. */
  JsonText askOrRememberErrors(Surroundings surroundings, Question question, Memory memory)
      throws IOException {
    Path directory = stateDirectory(surroundings);
    StateAccess.requireOpen(directory);
    Optional<String> answer = question.ask(new ControlClient(directory));
    if (answer.isPresent()) {
      return JsonText.parse(answer.get());
    }
    return JsonText.parse(
        memory.tell(
            last(directory)
                .orElseThrow(
                    () ->
                        UserException.failed(
                            "no agent runs on " + directory + ", and none has",
                            "start one with 'tailwater ship', or say where its state is: --state"
                                + " DIR"))));
  }

  private static Optional<OfflineStatus> last(Path directory) throws IOException {
    try {
      return Files.isDirectory(directory)
          ? OfflineStatus.read(LinuxFileCalls.create(), PosixPath.of(directory))
          : Optional.empty();
    } catch (StoreLockedException e) {
      throw StateAccess.inUse(directory, e);
    }
  }

  private static JsonText understood(JsonText json) {
    if (json.has("error")) {
      throw UserException.failed(
          "the agent answers: " + json.text("error"), "'tailwater status' says how it is doing");
    }
    return json;
  }
}
