package dev.tailwater.cli.command;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.store.log.StoreVerification;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tailwater store verify}. */
@Command(name = "verify", description = "Read every file of a store and check every byte.")
final class StoreVerifyCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private StoreDirectory store = new StoreDirectory();

  StoreVerifyCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    StoreVerification found = store.tool(surroundings).verify();
    if (store.json()) {
      printJson(found);
    } else {
      print(found);
    }
    return (found.isWhole() ? ExitCode.DONE : ExitCode.PARTIAL).number();
  }

  private void print(StoreVerification found) {
    Table table = new Table("FILE", "ROLE", ">BYTES", ">FRAMES", ">OPERATIONS", ">TORN", "STATE");
    for (StoreVerification.CheckedFile file : found.files()) {
      String state =
          file.damage()
              .map(damage -> "damaged at byte " + damage.offsetBytes() + ": " + damage.why())
              .orElse("whole");
      table.row(
          Printable.line(file.file().fileName().toString()),
          role(file),
          Long.toString(file.sizeBytes()),
          Long.toString(file.frames()),
          Long.toString(file.operations()),
          Long.toString(file.tornBytes()),
          Printable.line(state));
    }
    table.print(surroundings.out());
  }

  private void printJson(StoreVerification found) throws IOException {
    Json.object(
        surroundings.out(),
        json -> {
          json.writeBooleanField("whole", found.isWhole());
          json.writeArrayFieldStart("files");
          for (StoreVerification.CheckedFile file : found.files()) {
            json.writeStartObject();
            json.writeStringField("file", file.file().toString());
            json.writeStringField("role", role(file));
            json.writeNumberField("sizeBytes", file.sizeBytes());
            json.writeNumberField("frames", file.frames());
            json.writeNumberField("operations", file.operations());
            json.writeNumberField("tornBytes", file.tornBytes());
            if (file.damage().isPresent()) {
              json.writeNumberField("damagedAtBytes", file.damage().get().offsetBytes());
              json.writeStringField("why", file.damage().get().why());
            }
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private static String role(StoreVerification.CheckedFile file) {
    return file.role().name().toLowerCase(Locale.ROOT);
  }
}
