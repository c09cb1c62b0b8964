package dev.tailwater.cli.command;

import dev.tailwater.cli.host.Surroundings;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tailwater completion}. */
@Command(
    name = CompletionCommand.NAME,
    description = "Print a completion script for bash and zsh: source <(tailwater completion).")
final class CompletionCommand implements Runnable {
  static final String NAME = "completion";

  private final Surroundings surroundings;

  @Spec private CommandSpec spec = CommandSpec.create();

  CompletionCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public void run() {
    surroundings.out().print(AutoComplete.bash("tailwater", spec.root().commandLine()));
  }
}
