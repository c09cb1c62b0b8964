package dev.tailwater.cli.command;

import dev.tailwater.cli.host.Version;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tailwater} without a command. */
@Command(
    name = "tailwater",
    description = {
      "Every byte this machine writes, safe elsewhere before the machine is gone.",
      "",
      "  tailwater ship /var/log/app /mnt/archive   deliver files, until told to stop",
      "  tailwater restore /mnt/archive restored    give the files back",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "'tailwater COMMAND --help' has the options and an example of each.",
      "Exit codes: 0 all done, 1 failed, 2 wrong usage or configuration, 3 done in part.",
      "Data goes to stdout, everything else to stderr."
    })
final class RootCommand implements Runnable {
  @Spec private CommandSpec spec;

  RootCommand() {
    this.spec = CommandSpec.create();
  }

  @Override
  public void run() {
    CommandLine commandLine = spec.commandLine();
    throw new NoCommandException(commandLine, CommandOverview.FIRST_WORDS);
  }
}
