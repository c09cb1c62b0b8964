package dev.tailwater.cli.command;

import picocli.CommandLine.Option;

/** The option of every command that lists something. */
final class JsonOption {
  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  boolean wanted() {
    return json;
  }
}
