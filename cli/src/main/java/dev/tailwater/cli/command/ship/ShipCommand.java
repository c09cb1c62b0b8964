package dev.tailwater.cli.command.ship;

import dev.tailwater.cli.config.ShipKey;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.ship.AgentProcess;
import dev.tailwater.cli.ship.DryRun;
import dev.tailwater.cli.ship.ShipPlan;
import dev.tailwater.cli.ship.StopSignals;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tailwater ship}; its other options come from {@link ShipKey}. */
@Command(
    name = "ship",
    description = "Watch files and deliver what is written to them, until told to stop.",
    customSynopsis = {
      "tailwater ship [OPTION]... SOURCE... DESTINATION",
      "       tailwater ship [OPTION]... SOURCE... --to DESTINATION [--to DESTINATION]...",
      "       tailwater ship [OPTION]... --config FILE"
    },
    footer = {
      "",
      "On SIGTERM or SIGINT the agent delivers what is left and reports. A second"
          + " SIGINT, or another signal after two seconds, stops it at once. A notice that"
          + " the machine goes away acts like a SIGTERM shortly before its deadline (not with"
          + " --once). SIGHUP, which a closed terminal sends, does not stop it.",
      "Options take precedence over the configuration file."
    })
public final class ShipCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final Supplier<StopSignals> signals;

  @Mixin private ShipArguments arguments = new ShipArguments();

  @Option(names = "--once", description = "Deliver what is there, then exit.")
  private boolean once;

  @Option(
      names = "--dry-run",
      description =
          "List what would be delivered, with sizes, and change nothing. The destination is asked"
              + " what it holds only where the state does not tell.")
  private boolean dryRun;

  public ShipCommand(Surroundings surroundings, Supplier<StopSignals> signals) {
    this.surroundings = surroundings;
    this.signals = signals;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ShipPlan plan = ShipPlan.of(arguments.settings(surroundings), surroundings);
    if (dryRun) {
      return new DryRun(plan, surroundings).run(once).number();
    }
    AgentProcess agent = new AgentProcess(plan, surroundings);
    StopSignals stop = signals.get();
    return (once ? agent.once(stop) : agent.untilSignal(stop)).number();
  }
}
