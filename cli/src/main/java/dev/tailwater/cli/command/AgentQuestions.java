package dev.tailwater.cli.command;

import dev.tailwater.cli.host.StateDirectory;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.JsonText;
import dev.tailwater.delivery.control.ControlClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of the commands that ask a running agent, and the asking. */
final class AgentQuestions {
  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "State directory of the agent. Default: $STATE_DIRECTORY, else"
              + " $XDG_STATE_HOME/tailwater, else ~/.local/state/tailwater.")
  private Optional<String> state = Optional.empty();

  /** What is asked of the agent; empty when none runs. */
  @FunctionalInterface
  interface Question {
    Optional<String> ask(ControlClient client) throws IOException;
  }

  Path stateDirectory(Surroundings surroundings) {
    return StateDirectory.resolve(surroundings, state);
  }

  /** The agent's answer; fails when no agent runs or the agent could not do it. */
  JsonText ask(Surroundings surroundings, Question question) throws IOException {
    Path directory = stateDirectory(surroundings);
    String answer =
        question
            .ask(new ControlClient(directory))
            .orElseThrow(
                () ->
                    UserException.failed(
                        "no agent runs on " + directory,
                        "start one with 'tailwater ship', or say where its state is: --state DIR"));
    JsonText json = JsonText.parse(answer);
    if (json.has("error")) {
      throw UserException.failed(
          "the agent answers: " + json.text("error"), "'tailwater status' says how it is doing");
    }
    return json;
  }
}
