package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.cli.report.LossesText;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import java.io.PrintStream;

/** What {@code status} prints for people: how an agent is doing, or what its last run left. */
final class StatusText {
  private StatusText() {}

  static void print(JsonText status, PrintStream out) {
    boolean running = status.isTrue("running");
    LossesText losses = LossesText.of(status);
    rows(status, running, losses).print(out);
    if (!status.has("destination")) {
      out.println();
      DestinationTable.print(status.objects("destinations"), running, out);
    }
    AtRiskText.printFiles(status, out);
    if (!losses.isEmpty()) {
      out.println();
      losses.print(out);
    }
    status.objects("problems").forEach(problem -> printProblem(problem, out));
  }

  private static Table rows(JsonText status, boolean running, LossesText losses) {
    Table table = new Table("", "").row("agent", agentName(status));
    if (status.has("destination")) {
      table.row("destination", Printable.sentence(status.text("destination")));
    }
    table
        .row("state", running ? doing(status) : "not running; this is what the last run left")
        .row("files", Long.toString(status.number("files")));
    if (status.has("watching")) {
      WatchingRows.add(table, status.object("watching"));
    }
    NoticeRows.add(table, status);
    table.row("at risk", AtRiskText.inWords(status));
    losses.addRows(table);
    long uncompared = status.number("uncomparedFiles");
    if (uncompared > 0) {
      table.row(
          "not compared",
          Count.of(uncompared, "file") + "; the next start compares with the archive");
    }
    SafetyRows.add(table, status);
    if (status.has("neighbour")) {
      NeighbourRow.add(table, status.object("neighbour"));
    }
    if (running) {
      DeliveredRows.add(table, status);
    }
    return table;
  }

  private static String agentName(JsonText status) {
    String name = status.text("agent");
    return status.has("pid") ? name + " (process " + status.number("pid") + ")" : name;
  }

  private static String doing(JsonText status) {
    return status.text("phase").equals("last_gasp")
        ? "draining, and reading nothing any more"
        : status.isTrue("draining") ? "draining" : "shipping";
  }

  private static void printProblem(JsonText problem, PrintStream out) {
    out.println();
    out.println(
        "problem, "
            + problem.number("times")
            + " times: "
            + Printable.sentence(problem.text("message")));
    if (problem.has("hint")) {
      out.println("Hint: " + Printable.sentence(problem.text("hint")));
    }
  }
}
