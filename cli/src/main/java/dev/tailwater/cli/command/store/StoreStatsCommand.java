package dev.tailwater.cli.command.store;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.JsonOption;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.store.EntryStatistics;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.store.datafile.tool.ClosedStore;
import dev.tailwater.store.datafile.tool.StoreOverview;
import dev.tailwater.store.datafile.tool.StoreOverview.FileOverview;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tailwater store stats}. */
@Command(name = "stats", description = "Show how much a store holds, and in which files.")
final class StoreStatsCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private StoreDirectory store = new StoreDirectory();

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--entries",
      description =
          "Also read every entry, and count entries by length of value, tags, expiry and"
              + " version.")
  private boolean entries;

  StoreStatsCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    ClosedStore closed = store.closed(surroundings);
    StoreOverview overview = closed.overview();
    Optional<EntryStatistics> numbers = Optional.empty();
    if (entries) {
      EntryStatistics counted = new EntryStatistics(System.currentTimeMillis());
      try (TerminalProgress progress = TerminalProgress.of(surroundings, "stats")) {
        closed.forEach(
            new byte[0],
            entry -> {
              counted.add(entry);
              progress.at(counted.bytes(), Math.max(counted.bytes(), overview.liveBytes()));
            });
      }
      numbers = Optional.of(counted);
    }
    if (json.wanted()) {
      printJson(overview, numbers);
    } else {
      print(overview);
      numbers.ifPresent(counted -> counted.print(surroundings.out()));
    }
    return ExitCode.DONE.number();
  }

  private void print(StoreOverview overview) {
    long deadBytes = Math.max(0, overview.fileBytes() - overview.liveBytes());
    Table table =
        new Table("", "")
            .row("mode", overview.mode().text())
            .row("keys", Long.toString(overview.keys()))
            .row("live", ByteSizes.forPeople(overview.liveBytes()))
            .row("dead", ByteSizes.forPeople(deadBytes))
            .row(
                "files", overview.files().size() + ", " + ByteSizes.forPeople(overview.fileBytes()))
            .row(
                "space amplification",
                overview.liveBytes() == 0
                    ? "-"
                    : String.format(Locale.ROOT, "%.2f", overview.spaceAmplification()))
            .row("torn tail", ByteSizes.forPeople(overview.tornBytes()))
            .row("last close", overview.sealed() ? "clean" : "not clean, or never opened");
    if (overview.indexBytes().isPresent()) {
      long bytes = overview.indexBytes().getAsLong();
      String each =
          overview.keys() == 0
              ? ""
              : String.format(
                  Locale.ROOT, ", %.1f bytes for a key", (double) bytes / overview.keys());
      table.row("index in memory", ByteSizes.forPeople(bytes) + each);
    }
    if (overview.lastVersion().isPresent()) {
      table.row("newest version", Long.toString(overview.lastVersion().getAsLong()));
    }
    table.print(surroundings.out());
    surroundings.out().println();
    Table files = new Table("FILE", ">BYTES", ">RECORDS", ">LIVE");
    for (FileOverview file : overview.files()) {
      files.row(
          file.name(), Long.toString(file.sizeBytes()), number(file.records()), liveShare(file));
    }
    files.print(surroundings.out());
  }

  private static String number(OptionalLong number) {
    return number.isPresent() ? Long.toString(number.getAsLong()) : "-";
  }

  private static String liveShare(FileOverview file) {
    return file.liveBytes().isPresent() && file.sizeBytes() > 0
        ? Math.round(100.0 * file.liveBytes().getAsLong() / file.sizeBytes()) + " %"
        : "-";
  }

  private void printJson(StoreOverview overview, Optional<EntryStatistics> numbers)
      throws IOException {
    Json.object(
        surroundings.out(),
        json -> {
          json.writeStringField("mode", overview.mode().text());
          json.writeNumberField("keys", overview.keys());
          json.writeNumberField("liveBytes", overview.liveBytes());
          json.writeNumberField("fileBytes", overview.fileBytes());
          json.writeNumberField("tornBytes", overview.tornBytes());
          json.writeBooleanField("sealed", overview.sealed());
          write(json, "indexBytes", overview.indexBytes());
          write(json, "lastVersion", overview.lastVersion());
          json.writeArrayFieldStart("files");
          for (FileOverview file : overview.files()) {
            json.writeStartObject();
            json.writeStringField("file", file.name());
            json.writeNumberField("sizeBytes", file.sizeBytes());
            write(json, "records", file.records());
            write(json, "liveBytes", file.liveBytes());
            json.writeEndObject();
          }
          json.writeEndArray();
          if (numbers.isPresent()) {
            numbers.get().write(json);
          }
        });
  }

  private static void write(JsonGenerator json, String name, OptionalLong number)
      throws IOException {
    if (number.isPresent()) {
      json.writeNumberField(name, number.getAsLong());
    }
  }
}
