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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.OptionSpec;

/** All commands of the program. */
public final class CommandTree {
  private static final String HELP = "help";

  /** The commands that tell of all others. */
  private static final Set<String> ABOUT_OTHERS = Set.of(HELP, CompletionCommand.NAME);

  private CommandTree() {}

  /** Creates the whole tree, with the commands of plug-ins. */
  public static CommandLine create(Surroundings surroundings) {
    CommandPlugins plugins = new CommandPlugins(surroundings);
    Map<String, Supplier<CommandLine>> commands =
        commands(
            surroundings,
            () -> StopSignals.listen(surroundings),
            () -> plugins.load(CommandPackage.LAB));
    return create(surroundings, commands.values());
  }

  /**
   * Creates as much of the tree as one run may use: to make a command from its annotations takes
   * longer than many a command runs.
   *
   * @param signals what an agent listens to; asked for when it is about to start
   * @param arguments of the run
   */
  public static CommandLine create(
      Surroundings surroundings, Supplier<StopSignals> signals, List<String> arguments) {
    CommandPlugins plugins = new CommandPlugins(surroundings);
    CommandPackage lab = CommandPackage.LAB;
    boolean usesLab = arguments.contains(CompletionCommand.NAME) || arguments.contains(lab.name());
    Map<String, Supplier<CommandLine>> commands =
        commands(surroundings, signals, () -> usesLab ? plugins.load(lab) : plugins.mention(lab));
    return create(surroundings, used(commands, arguments));
  }

  /** Returns what makes the one command that the arguments name, or all that they may be about. */
  private static Collection<Supplier<CommandLine>> used(
      Map<String, Supplier<CommandLine>> commands, List<String> arguments) {
    if (arguments.equals(List.of("--version"))) {
      return List.of();
    }
    Optional<Supplier<CommandLine>> named =
        arguments.stream()
            .findFirst()
            .filter(name -> !ABOUT_OTHERS.contains(name))
            .map(commands::get);
    return named.isPresent() ? List.of(named.get()) : commands.values();
  }

  /** The commands by their names, in the order of the help. */
  private static Map<String, Supplier<CommandLine>> commands(
      Surroundings surroundings, Supplier<StopSignals> signals, Supplier<CommandLine> lab) {
    Map<String, Supplier<CommandLine>> commands = new LinkedHashMap<>();
    commands.put("ship", () -> withShipOptions(new ShipCommand(surroundings, signals)));
    commands.put("restore", () -> new CommandLine(new RestoreCommand(surroundings)));
    commands.put("verify", () -> new CommandLine(new VerifyCommand(surroundings)));
    commands.put("ls", () -> new CommandLine(new LsCommand(surroundings)));
    commands.put("cat", () -> new CommandLine(new CatCommand(surroundings)));
    commands.put("compact", () -> new CommandLine(new CompactCommand(surroundings)));
    commands.put("status", () -> new CommandLine(new StatusCommand(surroundings)));
    commands.put("drain", () -> new CommandLine(new DrainCommand(surroundings)));
    commands.put("init", () -> new CommandLine(new InitCommand(surroundings)));
    commands.put("check", () -> new CommandLine(new CheckCommand(surroundings)));
    commands.put("schema", () -> new CommandLine(new SchemaCommand(surroundings)));
    commands.put("estimate", () -> new CommandLine(new EstimateCommand(surroundings)));
    commands.put("probe", () -> new CommandLine(new ProbeCommand(surroundings)));
    commands.put("keygen", () -> new CommandLine(new KeygenCommand(surroundings)));
    commands.put("store", () -> StoreCommand.tree(surroundings));
    commands.put(CommandPackage.LAB.name(), lab);
    commands.put("rehearse", () -> withShipOptions(new RehearseCommand(surroundings)));
    commands.put("rehearse-agent", () -> withShipOptions(new RehearseAgentCommand(surroundings)));
    commands.put("demo", () -> new CommandLine(new DemoCommand(surroundings)));
    commands.put("demo-writer", () -> new CommandLine(new DemoWriterCommand(surroundings)));
    commands.put(
        CompletionCommand.NAME, () -> new CommandLine(new CompletionCommand(surroundings)));
    commands.put(HELP, () -> new CommandLine(new CommandLine.HelpCommand()));
    return commands;
  }

  private static CommandLine withShipOptions(Object command) {
    return ShipOptions.addTo(new CommandLine(command));
  }

  private static CommandLine create(
      Surroundings surroundings, Collection<Supplier<CommandLine>> commands) {
    CommandLine root = new CommandLine(new RootCommand());
    commands.forEach(command -> root.addSubcommand(command.get()));
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
    if (!command.getCommandName().equals(HELP)) {
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
