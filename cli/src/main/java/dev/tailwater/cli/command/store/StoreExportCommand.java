package dev.tailwater.cli.command.store;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import dev.tailwater.cli.host.CheckedOutput;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.store.EntryJson;
import dev.tailwater.cli.store.EntryText;
import dev.tailwater.cli.value.Count;
import dev.tailwater.store.datafile.tool.ClosedStore;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tailwater store export}. */
@Command(
    name = "export",
    description = "Print every entry as a line of JSON, which 'store import' reads.",
    footer = {
      "",
      "A key or value that is not UTF-8 text is in base64, as keyBase64 or valueBase64. Entries"
          + " that have expired are left out."
    })
final class StoreExportCommand implements Callable<Integer> {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final Surroundings surroundings;

  @Mixin private StoreDirectory store = new StoreDirectory();

  @Option(names = "--prefix", paramLabel = "KEY", description = "Only keys that begin with this.")
  private String prefix = "";

  StoreExportCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    ClosedStore closed = store.closed(surroundings);
    long now = System.currentTimeMillis();
    long[] entries = new long[1];
    long[] bytes = new long[1];
    try (TerminalProgress progress = TerminalProgress.of(surroundings, "export");
        CheckedOutput checked = new CheckedOutput(surroundings.out());
        BufferedOutputStream out = new BufferedOutputStream(checked, BUFFER_BYTES);
        JsonGenerator json = Json.generator(out)) {
      long liveBytes = progress.isVisible() ? closed.overview().liveBytes() : 0;
      json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
      closed.forEach(
          EntryText.parse(prefix),
          entry -> {
            if (!entry.isExpired(now)) {
              EntryJson.write(json, entry, true);
              entries[0]++;
              bytes[0] += entry.key().length + (long) entry.value().length;
              progress.at(bytes[0], Math.max(bytes[0], liveBytes));
            }
          });
      if (entries[0] > 0) {
        json.writeRaw('\n');
      }
    }
    surroundings.err().println("tailwater: exported " + Count.of(entries[0], "entry", "entries"));
    return ExitCode.DONE.number();
  }
}
