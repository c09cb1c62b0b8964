package dev.tailwater.cli.command;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.report.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tailwater store scan}. */
@Command(
    name = "scan",
    description = "Print keys and values in the order of the keys, separated by a tab.",
    footer = {"", "What is not printable text is shown as hex:00ff, which 'store get' reads."})
final class StoreScanCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private StoreDirectory store = new StoreDirectory();

  @Option(names = "--prefix", paramLabel = "KEY", description = "Only keys that begin with this.")
  private String prefix = "";

  StoreScanCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    byte[] keyPrefix = StoreBytes.parse(prefix);
    if (!store.json()) {
      store
          .tool(surroundings)
          .scan(
              keyPrefix,
              (key, value) ->
                  surroundings.out().println(StoreBytes.show(key) + "\t" + StoreBytes.show(value)));
      return ExitCode.DONE.number();
    }
    Json.object(
        surroundings.out(),
        json -> {
          json.writeArrayFieldStart("entries");
          store
              .tool(surroundings)
              .scan(
                  keyPrefix,
                  (key, value) -> {
                    try {
                      json.writeStartObject();
                      json.writeStringField("key", StoreBytes.show(key));
                      json.writeStringField("value", StoreBytes.show(value));
                      json.writeEndObject();
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  });
          json.writeEndArray();
        });
    return ExitCode.DONE.number();
  }
}
