package dev.tailwater.cli.command.store;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.cli.host.CheckedOutput;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.JsonOption;
import dev.tailwater.cli.store.EntryJson;
import dev.tailwater.cli.store.EntryText;
import dev.tailwater.store.Entry;
import dev.tailwater.store.EntryReader;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tailwater store scan}. */
@Command(
    name = "scan",
    description =
        "Print keys and values, separated by a tab: in the order of the keys for a"
            + " transaction log, from the oldest write to the newest for data files.",
    footer = {
      "",
      "Bytes that are not printable text are shown as hex:00ff, which 'store get'"
          + " accepts. Long values are truncated; --json prints them in full."
    })
final class StoreScanCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private StoreDirectory store = new StoreDirectory();

  @Mixin private JsonOption json = new JsonOption();

  @Option(names = "--prefix", paramLabel = "KEY", description = "Only keys that begin with this.")
  private String prefix = "";

  @Option(names = "--tag", paramLabel = "TAG", description = "Only keys that have this tag.")
  private Optional<String> tag = Optional.empty();

  @Option(names = "--keys-only", description = "Leave out the values.")
  private boolean keysOnly;

  @Option(names = "--limit", paramLabel = "N", description = "Stop after N keys.")
  private long limit = Long.MAX_VALUE;

  StoreScanCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    if (limit < 1) {
      throw UserException.usage("--limit " + limit + " is no number of keys", "give 1 or more");
    }
    try (OutputStream out = new BufferedOutputStream(new CheckedOutput(surroundings.out()))) {
      if (json.wanted()) {
        Json.object(
            out,
            generator -> {
              generator.writeArrayFieldStart("entries");
              scan(entry -> writeJson(generator, entry));
              generator.writeEndArray();
            });
      } else {
        scan(entry -> out.write(line(entry)));
      }
    }
    return ExitCode.DONE.number();
  }

  private void writeJson(JsonGenerator generator, Entry entry) throws IOException {
    EntryJson.write(generator, entry, !keysOnly);
  }

  private byte[] line(Entry entry) {
    String value = keysOnly ? "" : "\t" + EntryText.brief(entry.value());
    return (EntryText.show(entry.key()) + value + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private void scan(EntryReader action) throws IOException {
    long now = System.currentTimeMillis();
    long[] left = {limit};
    try {
      store
          .closed(surroundings)
          .forEach(
              EntryText.parse(prefix),
              entry -> {
                if (entry.isExpired(now) || !tag.map(entry.tags()::contains).orElse(true)) {
                  return;
                }
                action.entry(entry);
                if (--left[0] == 0) {
                  throw new EnoughException();
                }
              });
    } catch (EnoughException enough) {
      surroundings.out().flush();
    }
  }

  /** Thrown to end a scan early. */
  private static final class EnoughException extends IOException {
    private static final long serialVersionUID = 1L;
  }
}
