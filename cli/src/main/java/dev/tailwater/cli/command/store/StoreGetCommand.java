package dev.tailwater.cli.command.store;

import dev.tailwater.cli.host.CheckedOutput;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.JsonOption;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.store.EntryJson;
import dev.tailwater.cli.store.EntryText;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.store.Entry;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tailwater store get}. */
@Command(name = "get", description = "Print the value of a key, byte for byte.")
final class StoreGetCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private StoreDirectory store = new StoreDirectory();

  @Mixin private JsonOption json = new JsonOption();

  @Parameters(index = "1", paramLabel = "KEY", description = "As text, or as hex:00ff.")
  private String key = "";

  @ArgGroup private KeyForm form = new KeyForm();

  /** The options for the notation of the key. */
  private static final class KeyForm {
    @Option(names = "--hex", description = "KEY is written in hexadecimal digits.")
    private boolean hex;

    @Option(names = "--base64", description = "KEY is written in base64.")
    private boolean base64;
  }

  @Option(
      names = "--entry",
      description = "Print length, version, expiry and tags instead of the value.")
  private boolean entry;

  StoreGetCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    Optional<Entry> found = store.closed(surroundings).find(keyBytes());
    if (found.isEmpty()) {
      throw UserException.failed(
          "there is no key " + key, "'tailwater store scan " + store.name() + "' lists the keys");
    }
    Entry there = found.get();
    if (there.isExpired(System.currentTimeMillis())) {
      Instant end = Instant.ofEpochMilli(there.expiresAtMillis().orElse(0));
      throw UserException.failed(
          "the key " + key + " expired at " + end, "a key that has expired is as if removed");
    }
    if (json.wanted()) {
      Json.value(surroundings.out(), generator -> EntryJson.write(generator, there, true));
    } else if (entry) {
      print(there);
    } else {
      try (CheckedOutput out = new CheckedOutput(surroundings.out())) {
        out.write(there.value());
      }
    }
    return ExitCode.DONE.number();
  }

  private byte[] keyBytes() {
    if (form.hex) {
      return EntryText.parseHex(key);
    }
    return form.base64 ? EntryText.parseBase64(key) : EntryText.parse(key);
  }

  private void print(Entry found) {
    String end =
        found.expiresAtMillis().isPresent()
            ? Instant.ofEpochMilli(found.expiresAtMillis().getAsLong()).toString()
            : "never";
    new Table("", "")
        .row("key", EntryText.show(found.key()))
        .row("value", Count.of(found.value().length, "byte"))
        .row("version", Long.toString(found.version()))
        .row("expires", end)
        .row("tags", Printable.line(String.join(", ", new TreeSet<>(found.tags()))))
        .print(surroundings.out());
  }
}
