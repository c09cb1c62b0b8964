package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.JsonText;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.posix.EscapedPath;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** What {@code status FILE} prints: how far each file is delivered. */
final class FileAnswers {
  private FileAnswers() {}

  /** Prints a table for people. */
  static void print(List<FileQueries.Answer> answers, PrintStream out) {
    Table table = new Table("DELIVERED", ">SIZE", ">DURABLE", "FILE");
    for (FileQueries.Answer answer : answers) {
      table.row(
          Printable.line(answer.word()),
          Long.toString(answer.json().number("sizeBytes")),
          Long.toString(answer.json().number("durableBytes")),
          EscapedPath.of(answer.path()));
    }
    table.print(out);
    answers.forEach(answer -> printDestinations(answer.json(), out));
  }

  /** Prints what each destination lacks of a file that is not delivered everywhere. */
  private static void printDestinations(JsonText file, PrintStream out) {
    List<JsonText> destinations = file.objects("destinations");
    long sizeBytes = file.number("sizeBytes");
    boolean everywhere =
        destinations.stream().allMatch(at -> at.number("durableBytes") >= sizeBytes);
    if (destinations.size() > 1 && !everywhere) {
      out.println();
      DestinationTable.print(file, destinations, out);
    }
  }

  /** Prints a JSON object with the answers as they are. */
  static void write(List<FileQueries.Answer> answers, PrintStream out) throws IOException {
    Json.object(
        out,
        json -> {
          json.writeArrayFieldStart("files");
          for (FileQueries.Answer answer : answers) {
            json.writeStartObject();
            answer.json().writeFields(json);
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }
}
