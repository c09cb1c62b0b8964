package dev.tailwater.cli.command;

import dev.tailwater.cli.completion.Shell;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import java.util.Iterator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tailwater completion}. */
@Command(
    name = CompletionCommand.NAME,
    description = "Print a script with which bash, zsh or fish completes commands and options.",
    footer = {
      "",
      "bash, in ~/.bashrc:                 source <(tailwater completion bash)",
      "zsh, in ~/.zshrc after compinit:    source <(tailwater completion zsh)",
      "fish, in ~/.config/fish/config.fish: tailwater completion fish | source"
    })
final class CompletionCommand implements Runnable {
  static final String NAME = "completion";

  private final Surroundings surroundings;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      completionCandidates = Shells.class,
      description = "bash, zsh or fish. Default: bash.")
  private String shell = "bash";

  CompletionCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** The names of the shells. */
  static final class Shells implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Shell.names().iterator();
    }
  }

  @Override
  public void run() {
    Shell wanted = Shell.named(shell).orElseThrow(() -> unknown(shell));
    surroundings.out().print(wanted.script(spec.root().commandLine()));
  }

  private static UserException unknown(String shell) {
    return UserException.usage(
        "no completion for the shell '" + shell + "'",
        "there is one for " + String.join(", ", Shell.names()));
  }
}
