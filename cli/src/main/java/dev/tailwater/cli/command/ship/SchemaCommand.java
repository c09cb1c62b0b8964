package dev.tailwater.cli.command.ship;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.schema.ConfigSchema;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code tailwater schema}. */
@Command(
    name = "schema",
    description = "Print the JSON Schema of the configuration file, for editors.",
    footer = {
      "",
      "The first line of tailwater.yaml names it:",
      "# yaml-language-server: $schema=tailwater.schema.json"
    })
public final class SchemaCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  public SchemaCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    ConfigSchema.write(surroundings.out());
    return ExitCode.DONE.number();
  }
}
