package dev.tailwater.cli.plugin;

/**
 * A command that one of the project's packages adds to the program. It is listed whether it is
 * installed or not.
 *
 * @param name the command and the plug-in's directory; the package is {@code tailwater-NAME}
 * @param description what {@code --help} says of it
 */
public record CommandPackage(String name, String description) {
  /** What {@code --help} says of the lab. */
  public static final String LAB_DESCRIPTION =
      "Measure this host's mounts, kernel and JDK, write a report with plots, and"
          + " recommend settings.";

  /** The experiments on this host. */
  public static final CommandPackage LAB = new CommandPackage("lab", LAB_DESCRIPTION);
}
