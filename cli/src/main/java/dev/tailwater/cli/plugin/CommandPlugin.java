package dev.tailwater.cli.plugin;

import dev.tailwater.cli.host.Surroundings;
import picocli.CommandLine;

/**
 * A command that a plug-in adds to the program, found by {@link java.util.ServiceLoader} on the
 * class path or among the JARs of the plug-in.
 *
 * <p>A plug-in of this kind extends the program: it sees all of the program's classes, and must be
 * of the same version.
 */
public interface CommandPlugin {
  /** The name of the command, which is that of the plug-in's directory as well: {@code lab}. */
  String name();

  /** Creates the command with its subcommands; it is run at most once. */
  CommandLine command(Surroundings surroundings);
}
