package dev.tailwater.cli.command;

import dev.tailwater.cli.host.CheckedOutput;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.Json;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tailwater store get}. */
@Command(name = "get", description = "Print the value of a key, byte for byte.")
final class StoreGetCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private StoreDirectory store = new StoreDirectory();

  @Parameters(index = "1", paramLabel = "KEY", description = "As text, or as hex:00ff.")
  private String key = "";

  StoreGetCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    byte[] value =
        store
            .tool(surroundings)
            .get(StoreBytes.parse(key))
            .orElseThrow(
                () ->
                    UserException.failed(
                        "there is no key " + key,
                        "'tailwater store scan " + store.name() + "' lists the keys"));
    if (store.json()) {
      Json.object(
          surroundings.out(),
          json -> {
            json.writeStringField("key", key);
            json.writeStringField("value", StoreBytes.show(value));
          });
    } else {
      try (CheckedOutput out = new CheckedOutput(surroundings.out())) {
        out.write(value);
      }
    }
    return ExitCode.DONE.number();
  }
}
