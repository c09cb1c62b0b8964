package dev.tailwater.cli.command;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The commands by what they are for, with a line each: the first page that a newcomer reads. */
final class CommandOverview {
  /** What is shown when nothing was asked for. */
  static final String FIRST_WORDS =
      """
      Tailwater delivers every byte that is written to files here to a place that stays.

        tailwater init                             look at this machine, write tailwater.yaml
        tailwater ship /var/log/app /mnt/archive   deliver files, until told to stop
        tailwater status                           show what is not delivered yet
        tailwater restore /mnt/archive restored    give the files back

      'tailwater demo' shows it in half a minute; 'tailwater --help' lists all commands.
      """;

  private static final List<Group> GROUPS =
      List.of(
          new Group(
              "Begin",
              List.of(
                  new Line("init", "look at this machine, write a commented configuration"),
                  new Line("demo", "ship, rotate, kill, restart, restore: half a minute to watch"),
                  new Line("probe", "test whether a destination permits and keeps what is needed"),
                  new Line("keygen", "make a key pair for encryption"))),
          new Group(
              "Ship",
              List.of(
                  new Line("ship", "deliver what is written to files, until told to stop"),
                  new Line("status", "show what is at risk; whether a file is delivered"),
                  new Line("drain", "deliver everything now and wait, for example before a stop"),
                  new Line("rehearse", "find out what an end of this machine would lose"))),
          new Group(
              "Give back",
              List.of(
                  new Line("restore", "write the files of an archive into a directory"),
                  new Line("ls", "list what an archive holds and what is missing"),
                  new Line("cat", "print the bytes of one file of an archive"),
                  new Line("verify", "open every segment of an archive and check it"),
                  new Line("compact", "merge the packs of an archive into fewer, longer ones"))),
          new Group(
              "Configure and inspect",
              List.of(
                  new Line("check", "check a configuration file, with line and key"),
                  new Line("schema", "print the JSON Schema of the file, for editors"),
                  new Line("estimate", "calculate requests, bytes and money of a configuration"),
                  new Line("completion", "print a completion script for bash, zsh or fish"),
                  new Line("store", "inspect, check and repair the state of an agent"),
                  new Line("lab", "measure this machine's file I/O and recommend settings"),
                  new Line("help", "show the help of a command"))));

  private record Group(String heading, List<Line> lines) {}

  private record Line(String name, String meaning) {}

  private CommandOverview() {}

  /** Shows the commands of the program in groups. */
  static void addTo(CommandLine root) {
    root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandOverview::list);
    root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
  }

  private static String list(Help help) {
    StringBuilder text = new StringBuilder();
    for (Group group : GROUPS) {
      text.append('\n').append(group.heading()).append('\n');
      for (Line line : group.lines()) {
        text.append(String.format("  %-12s%s%n", line.name(), line.meaning()));
      }
    }
    return text.toString();
  }

  /** Returns the names of all commands that are shown. */
  static List<String> names() {
    List<String> names = new ArrayList<>();
    for (Group group : GROUPS) {
      for (Line line : group.lines()) {
        names.add(line.name());
      }
    }
    return names;
  }
}
