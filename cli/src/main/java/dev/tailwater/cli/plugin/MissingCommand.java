package dev.tailwater.cli.plugin;

import dev.tailwater.cli.outcome.UserException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Stands for a command that is not available, and says why when it is called. */
final class MissingCommand implements Callable<Integer> {
  private final UserException reason;

  private MissingCommand(UserException reason) {
    this.reason = reason;
  }

  /** The command of that package, with whatever arguments. */
  static CommandLine of(CommandPackage missing, UserException reason) {
    CommandSpec spec = CommandSpec.wrapWithoutInspection(new MissingCommand(reason));
    spec.name(missing.name());
    spec.usageMessage()
        .description(missing.description())
        .footer("", reason.getMessage() + ".", reason.hint().orElse(""));
    return new CommandLine(spec).setUnmatchedArgumentsAllowed(true);
  }

  @Override
  public Integer call() {
    throw reason;
  }
}
