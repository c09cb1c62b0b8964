package dev.tailwater.cli.command;

import dev.tailwater.cli.command.agent.DrainCommand;
import dev.tailwater.cli.command.agent.StatusCommand;
import dev.tailwater.cli.command.archive.CatCommand;
import dev.tailwater.cli.command.archive.CompactCommand;
import dev.tailwater.cli.command.archive.LsCommand;
import dev.tailwater.cli.command.archive.RestoreCommand;
import dev.tailwater.cli.command.archive.VerifyCommand;
import dev.tailwater.cli.command.ship.CheckCommand;
import dev.tailwater.cli.command.ship.EstimateCommand;
import dev.tailwater.cli.command.ship.InitCommand;
import dev.tailwater.cli.command.ship.RehearseAgentCommand;
import dev.tailwater.cli.command.ship.RehearseCommand;
import dev.tailwater.cli.command.ship.SchemaCommand;
import dev.tailwater.cli.command.ship.ShipCommand;
import dev.tailwater.cli.command.ship.ShipOptions;
import dev.tailwater.cli.command.store.StoreCommand;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.plugin.CommandPackage;
import dev.tailwater.cli.plugin.CommandPlugins;
import dev.tailwater.cli.ship.StopSignals;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.OptionSpec;

/** All commands of the program. */
public final class CommandTree {
  private CommandTree() {}

  /** Creates the whole tree, with the commands of plug-ins. */
  public static CommandLine create(Surroundings surroundings) {
    CommandPlugins plugins = new CommandPlugins(surroundings);
    return create(
        surroundings, () -> StopSignals.listen(surroundings), plugins.load(CommandPackage.LAB));
  }

  /**
   * Creates the tree for one run. The commands of plug-ins are listed, but loaded only if the run
   * may use them.
   *
   * @param signals what an agent listens to; asked for when it is about to start
   * @param arguments of the run
   */
  public static CommandLine create(
      Surroundings surroundings, Supplier<StopSignals> signals, List<String> arguments) {
    CommandPlugins plugins = new CommandPlugins(surroundings);
    boolean needsAll = arguments.contains(CompletionCommand.NAME);
    CommandPackage lab = CommandPackage.LAB;
    return create(
        surroundings,
        signals,
        needsAll || arguments.contains(lab.name()) ? plugins.load(lab) : plugins.mention(lab));
  }

  private static CommandLine create(
      Surroundings surroundings, Supplier<StopSignals> signals, CommandLine lab) {
    CommandLine root = new CommandLine(new RootCommand());
    root.addSubcommand(ShipOptions.addTo(new CommandLine(new ShipCommand(surroundings, signals))));
    root.addSubcommand(new RestoreCommand(surroundings));
    root.addSubcommand(new VerifyCommand(surroundings));
    root.addSubcommand(new LsCommand(surroundings));
    root.addSubcommand(new CatCommand(surroundings));
    root.addSubcommand(new CompactCommand(surroundings));
    root.addSubcommand(new StatusCommand(surroundings));
    root.addSubcommand(new DrainCommand(surroundings));
    root.addSubcommand(new InitCommand(surroundings));
    root.addSubcommand(new CheckCommand(surroundings));
    root.addSubcommand(new SchemaCommand(surroundings));
    root.addSubcommand(new EstimateCommand(surroundings));
    root.addSubcommand(new ProbeCommand(surroundings));
    root.addSubcommand(new KeygenCommand(surroundings));
    root.addSubcommand(StoreCommand.tree(surroundings));
    root.addSubcommand(lab);
    root.addSubcommand(ShipOptions.addTo(new CommandLine(new RehearseCommand(surroundings))));
    root.addSubcommand(ShipOptions.addTo(new CommandLine(new RehearseAgentCommand(surroundings))));
    root.addSubcommand(new DemoCommand(surroundings));
    root.addSubcommand(new DemoWriterCommand(surroundings));
    root.addSubcommand(new CompletionCommand(surroundings));
    root.addSubcommand(new CommandLine.HelpCommand());
    root.getSubcommands().values().forEach(CommandTree::addHelpOption);
    CommandOverview.addTo(root);
    Examples.addTo(root);
    // A file name may begin with '@', and help texts have no colors.
    root.setExpandAtFiles(false);
    root.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
    root.setUsageHelpWidth(Math.clamp(surroundings.terminalColumns().orElse(100), 60, 120));
    root.setUsageHelpLongOptionsMaxWidth(30);
    return root;
  }

  private static void addHelpOption(CommandLine command) {
    if (!command.getCommandName().equals("help")) {
      command
          .getCommandSpec()
          .addOption(
              OptionSpec.builder("-h", "--help")
                  .usageHelp(true)
                  .description("Show this help and exit.")
                  .build());
    }
    command.getSubcommands().values().forEach(CommandTree::addHelpOption);
  }
}
