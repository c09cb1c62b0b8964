package dev.tailwater.cli.command.store;

import dev.tailwater.cli.host.Surroundings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tailwater store} without a command. */
@Command(
    name = "store",
    description = "Inspect, check, repair and measure a key-value store, such as an agent's state.",
    synopsisSubcommandLabel = "COMMAND")
public final class StoreCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Creates the command with its subcommands. */
  public static CommandLine tree(Surroundings surroundings) {
    CommandLine store = new CommandLine(new StoreCommand());
    store.addSubcommand(new StoreStatsCommand(surroundings));
    store.addSubcommand(new StoreGetCommand(surroundings));
    store.addSubcommand(new StoreScanCommand(surroundings));
    store.addSubcommand(new StoreVerifyCommand(surroundings));
    store.addSubcommand(new StoreRepairCommand(surroundings));
    store.addSubcommand(new StoreVacuumCommand(surroundings));
    store.addSubcommand(new StoreExportCommand(surroundings));
    store.addSubcommand(new StoreImportCommand(surroundings));
    store.addSubcommand(new StoreBenchCommand(surroundings));
    return store;
  }

  @Override
  public void run() {
    CommandLine commandLine = spec.commandLine();
    throw new ParameterException(commandLine, "what to do with the store was not said");
  }
}
