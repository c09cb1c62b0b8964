package dev.tailwater.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The benchmarks' command line: one subcommand for each question. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Measures Tailwater.",
    subcommands = {
      GenerateCommand.class,
      ShipBenchmark.class,
      MemoryBenchmark.class,
      StartBenchmark.class,
      LatencyBenchmark.class,
      SeveralBenchmark.class,
      MergeBenchmark.class,
      IdleBenchmark.class,
      NoticesBenchmark.class,
      NeighbourBenchmark.class,
      ReadBenchmark.class,
      StorePutBenchmark.class,
      StoreRecoveryBenchmark.class,
      RandomReadsBenchmark.class,
      StoreEvictionBenchmark.class,
      StoreGetBenchmark.class,
      DrainBenchmark.class,
      BlocksBenchmark.class,
      JmhCommand.class
    })
public final class Bench {
  private Bench() {}

  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true).execute(arguments));
  }
}
