package dev.tailwater.cli.report;

import picocli.CommandLine.Option;

/** The option {@code --json} of commands that list something. */
public final class JsonOption {
  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  public boolean wanted() {
    return json;
  }
}
