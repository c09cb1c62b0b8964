package dev.tailwater.cli.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tailwater store} without a command. */
@Command(
    name = "store",
    description =
        "Look into a key-value store, such as an agent's state, check, repair and measure it.",
    synopsisSubcommandLabel = "COMMAND")
final class StoreCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    CommandLine commandLine = spec.commandLine();
    throw new ParameterException(commandLine, "what to do with the store was not said");
  }
}
