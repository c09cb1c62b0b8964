package dev.tailwater.cli.command;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.store.log.StoreSummary;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tailwater store stats}. */
@Command(name = "stats", description = "Say how much a store holds, and in which files.")
final class StoreStatsCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private StoreDirectory store = new StoreDirectory();

  StoreStatsCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    StoreSummary summary = store.tool(surroundings).stats();
    if (store.json()) {
      Json.object(
          surroundings.out(),
          json -> {
            json.writeNumberField("keys", summary.keys());
            json.writeNumberField("liveBytes", summary.liveBytes());
            json.writeNumberField("logs", summary.logs());
            json.writeNumberField("logBytes", summary.logBytes());
            json.writeNumberField("snapshotBytes", summary.snapshotBytes());
            json.writeNumberField("tornBytes", summary.tornBytes());
            json.writeBooleanField("sealed", summary.sealed());
          });
    } else {
      new Table("", "")
          .row("keys", Long.toString(summary.keys()))
          .row("live", ByteSizes.forPeople(summary.liveBytes()))
          .row("logs", summary.logs() + ", " + ByteSizes.forPeople(summary.logBytes()))
          .row("snapshot", ByteSizes.forPeople(summary.snapshotBytes()))
          .row("torn tail", ByteSizes.forPeople(summary.tornBytes()))
          .row("last close", summary.sealed() ? "clean" : "not clean, or never opened")
          .print(surroundings.out());
    }
    return ExitCode.DONE.number();
  }
}
