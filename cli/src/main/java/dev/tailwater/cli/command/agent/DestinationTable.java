package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Printable;
import java.io.PrintStream;
import java.util.List;

/** A table of the state of each destination, for people. */
final class DestinationTable {
  private DestinationTable() {}

  /** Prints the table for the status of an agent. */
  static void print(List<JsonText> destinations, boolean running, PrintStream out) {
    Table table =
        running
            ? new Table(">AT RISK", ">DELIVERED", ">SEGMENTS", "", "DESTINATION")
            : new Table(">AT RISK", "", "DESTINATION");
    for (JsonText at : destinations) {
      String risk = ByteSizes.forPeople(at.number("atRiskBytes"));
      String name = Printable.sentence(at.text("name"));
      if (running) {
        table.row(
            risk,
            ByteSizes.forPeople(at.number("deliveredBytes")),
            Long.toString(at.number("deliveredSegments")),
            at.isTrue("connected") ? importance(at) : importance(at) + ", not reached yet",
            name);
      } else {
        table.row(risk, importance(at), name);
      }
    }
    table.print(out);
  }

  /** Prints the table for one file. */
  static void print(JsonText file, List<JsonText> destinations, PrintStream out) {
    out.println(Printable.line(file.text("path")) + ":");
    Table table = new Table(">DURABLE", "", "DESTINATION");
    for (JsonText at : destinations) {
      table.row(
          Long.toString(at.number("durableBytes")),
          importance(at),
          Printable.sentence(at.text("name")));
    }
    table.print(out);
  }

  private static String importance(JsonText at) {
    return at.isTrue("required") ? "required" : "best effort";
  }
}
