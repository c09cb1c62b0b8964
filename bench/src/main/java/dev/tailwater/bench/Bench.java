package dev.tailwater.bench;

import dev.tailwater.bench.agent.AppendsBenchmark;
import dev.tailwater.bench.agent.DrainBenchmark;
import dev.tailwater.bench.agent.GrowingBenchmark;
import dev.tailwater.bench.agent.HotFileBenchmark;
import dev.tailwater.bench.agent.IdleBenchmark;
import dev.tailwater.bench.agent.LatencyBenchmark;
import dev.tailwater.bench.agent.ManyBenchmark;
import dev.tailwater.bench.agent.MemoryBenchmark;
import dev.tailwater.bench.agent.MergeBenchmark;
import dev.tailwater.bench.agent.NeighbourBenchmark;
import dev.tailwater.bench.agent.NoticesBenchmark;
import dev.tailwater.bench.agent.SeveralBenchmark;
import dev.tailwater.bench.agent.ShipBenchmark;
import dev.tailwater.bench.agent.ShortLivesBenchmark;
import dev.tailwater.bench.agent.SignBenchmark;
import dev.tailwater.bench.agent.StartBenchmark;
import dev.tailwater.bench.file.BlocksBenchmark;
import dev.tailwater.bench.file.RandomReadsBenchmark;
import dev.tailwater.bench.file.ReadBenchmark;
import dev.tailwater.bench.run.GenerateCommand;
import dev.tailwater.bench.store.StoreEvictionBenchmark;
import dev.tailwater.bench.store.StoreGetBenchmark;
import dev.tailwater.bench.store.StorePutBenchmark;
import dev.tailwater.bench.store.StoreRecoveryBenchmark;
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
      AppendsBenchmark.class,
      HotFileBenchmark.class,
      MemoryBenchmark.class,
      ManyBenchmark.class,
      GrowingBenchmark.class,
      StartBenchmark.class,
      LatencyBenchmark.class,
      ShortLivesBenchmark.class,
      SeveralBenchmark.class,
      MergeBenchmark.class,
      IdleBenchmark.class,
      NoticesBenchmark.class,
      NeighbourBenchmark.class,
      ReadBenchmark.class,
      SignBenchmark.class,
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
