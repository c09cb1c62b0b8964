package dev.tailwater.bench.stores;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the comparison with other stores. */
@Command(
    name = "bench-stores",
    mixinStandardHelpOptions = true,
    description = "Measures the store beside other embedded stores.",
    subcommands = CompareCommand.class)
public final class BenchStores {
  private BenchStores() {}

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new BenchStores()).execute(arguments));
  }
}
