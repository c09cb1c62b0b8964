package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.Printable;

/** The line of {@code status} on how the agent makes room for other programs. */
final class NeighbourRow {
  private NeighbourRow() {}

  static void add(Table table, JsonText neighbour) {
    table.row("neighbour", neighbour.text("priority") + doing(neighbour));
    for (String note : neighbour.texts("notes")) {
      table.row("", Printable.line(note));
    }
  }

  private static String doing(JsonText neighbour) {
    if (neighbour.isTrue("suspended")) {
      return "; suspended, since bytes must go first";
    }
    StringBuilder text = new StringBuilder();
    for (String reason : neighbour.texts("yieldingTo")) {
      text.append(text.isEmpty() ? "; yields: " : ", ").append(reason(reason, neighbour));
    }
    return text.toString();
  }

  private static String reason(String reason, JsonText neighbour) {
    return reason.equals("cpu_limit")
        ? "at its own processor limit"
        : "others waited for "
            + reason
            + " "
            + neighbour.object("pressurePercent").number(reason)
            + " % of the last second";
  }
}
