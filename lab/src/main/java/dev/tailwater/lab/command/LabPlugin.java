package dev.tailwater.lab.command;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.plugin.CommandPackage;
import dev.tailwater.cli.plugin.CommandPlugin;
import picocli.CommandLine;

/** A plug-in that adds {@code tailwater lab} to the program. */
public final class LabPlugin implements CommandPlugin {
  /** Creates the plug-in for {@link java.util.ServiceLoader}. */
  public LabPlugin() {}

  @Override
  public String name() {
    return CommandPackage.LAB.name();
  }

  @Override
  public CommandLine command(Surroundings surroundings) {
    CommandLine lab = new CommandLine(new LabCommand(surroundings));
    lab.addSubcommand(new LabCompareCommand(surroundings));
    lab.addSubcommand(new LabReportCommand(surroundings));
    return lab;
  }
}
