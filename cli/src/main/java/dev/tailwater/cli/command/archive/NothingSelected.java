package dev.tailwater.cli.command.archive;

import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Printable;
import java.io.PrintStream;

/**
 * That an archive has nothing of what the options ask for.
 *
 * @param asOfAMoment whether {@code --at} was given
 */
record NothingSelected(boolean asOfAMoment) {
  private String message() {
    return asOfAMoment
        ? "nothing of what is asked for was there at that moment"
        : "no stream is what --only and --agent ask for";
  }

  private String hint() {
    return "without "
        + (asOfAMoment ? "--at, --only and --agent" : "them")
        + " 'tailwater ls' lists everything";
  }

  UserException failure() {
    return UserException.failed(message(), hint());
  }

  /** Prints it, for a command that goes on. */
  void print(PrintStream err) {
    err.println("tailwater: " + Printable.text(message()));
    err.println("Hint: " + Printable.text(hint()));
  }
}
