package dev.tailwater.cli.command.store;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.JsonOption;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.store.VacuumStatistics.Damage;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.datafile.tool.ClosedStore;
import dev.tailwater.store.datafile.tool.StoreMode;
import dev.tailwater.store.datafile.tool.StoreOverview;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tailwater store vacuum}. */
@Command(
    name = "vacuum",
    description = "Reclaim the space of entries that were overwritten or removed, or have expired.",
    footer = {
      "",
      "No other process may use the store meanwhile. An open store does this by itself"
          + " when it is worthwhile."
    })
final class StoreVacuumCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private StoreDirectory store = new StoreDirectory();

  @Mixin private JsonOption json = new JsonOption();

  StoreVacuumCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    ClosedStore closed = store.closed(surroundings);
    StoreOverview before = closed.overview();
    List<Damage> damaged = vacuum(closed.mode());
    StoreOverview after = closed.overview();
    if (json.wanted()) {
      printJson(before, after);
    } else {
      new Table("", ">FILES", ">BYTES", ">AMPLIFICATION")
          .row(row("before", before))
          .row(row("after", after))
          .print(surroundings.out());
    }
    for (Damage damage : damaged) {
      surroundings
          .err()
          .println(
              Printable.line(
                  "tailwater: "
                      + damage.file()
                      + " is damaged at byte "
                      + damage.offsetBytes()
                      + " and was left as it is: "
                      + damage.reason()));
    }
    return (damaged.isEmpty() ? ExitCode.DONE : ExitCode.PARTIAL).number();
  }

  private List<Damage> vacuum(StoreMode mode) throws IOException {
    try (TerminalProgress progress = TerminalProgress.of(surroundings, "vacuum")) {
      return switch (mode) {
        case DATA -> {
          try (DataFileStore opened =
              DataFileStore.open(
                  store.calls(), store.path(surroundings), DataFileOptions.defaults())) {
            yield opened.vacuum(progress::at).damaged();
          }
        }
        case LOG -> {
          try (TransactionLogStore opened =
              TransactionLogStore.open(
                  store.calls(), store.path(surroundings), StoreOptions.defaults())) {
            if (!opened.compact()) {
              throw UserException.failed(
                  "the log was not compacted: "
                      + opened.statistics().lastCompactionFailure().orElse("no reason is known"),
                  "make space there, then run it again: df -h " + store.name());
            }
            yield List.of();
          }
        }
      };
    }
  }

  private static String[] row(String name, StoreOverview overview) {
    String amplification =
        overview.liveBytes() == 0
            ? "-"
            : String.format(Locale.ROOT, "%.2f", overview.spaceAmplification());
    return new String[] {
      name,
      Integer.toString(overview.files().size()),
      ByteSizes.forPeople(overview.fileBytes()),
      amplification
    };
  }

  private void printJson(StoreOverview before, StoreOverview after) throws IOException {
    Json.object(
        surroundings.out(),
        json -> {
          json.writeStringField("mode", after.mode().text());
          json.writeNumberField("keys", after.keys());
          json.writeNumberField("liveBytes", after.liveBytes());
          json.writeNumberField("fileBytesBefore", before.fileBytes());
          json.writeNumberField("fileBytes", after.fileBytes());
          json.writeNumberField("filesBefore", before.files().size());
          json.writeNumberField("files", after.files().size());
        });
  }
}
