package dev.tailwater.cli.command;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Nothing was asked for; the message is the page that a newcomer reads then. */
public final class NoCommandException extends ParameterException {
  private static final long serialVersionUID = 1L;

  NoCommandException(CommandLine commandLine, String firstWords) {
    super(commandLine, firstWords);
  }
}
