package dev.tailwater.cli.command;

import dev.tailwater.cli.host.Surroundings;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.OptionSpec;

/** All commands of the program. */
public final class CommandTree {
  private CommandTree() {}

  /** The whole tree, ready to parse. */
  public static CommandLine create(Surroundings surroundings) {
    CommandLine root = new CommandLine(new RootCommand());
    root.addSubcommand(new CheckCommand(surroundings));
    root.addSubcommand(new CompletionCommand(surroundings));
    root.addSubcommand(new CommandLine.HelpCommand());
    root.getSubcommands().values().forEach(CommandTree::addHelpOption);
    // A file name may begin with '@'; help has the look of the terminal's own text.
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
