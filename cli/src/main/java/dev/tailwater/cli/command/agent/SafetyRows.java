package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.ByteSizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The lines of {@code status} on the bound on bytes at risk and on the last drain. */
final class SafetyRows {
  private SafetyRows() {}

  /** Adds rows for what the status has. */
  static void add(Table table, JsonText status) {
    if (status.has("maxAtRisk")) {
      JsonText bound = status.object("maxAtRisk");
      table.row("bound", limits(bound) + ", " + kept(bound));
      table.row(
          "most so far",
          ByteSizes.forPeople(bound.number("mostAtRiskBytes"))
              + ", the oldest for "
              + seconds(bound.number("oldestAtRiskMillis")));
    }
    if (status.has("lastDrain")) {
      JsonText drain = status.object("lastDrain");
      long leftBytes = drain.number("leftBehindBytes");
      table.row(
          "last drain",
          ByteSizes.forPeople(drain.number("deliveredBytes"))
              + " in "
              + seconds(drain.number("tookMillis"))
              + (leftBytes == 0
                  ? ", nothing was left"
                  : ", " + ByteSizes.forPeople(leftBytes) + " were left"));
    }
  }

  private static String limits(JsonText bound) {
    List<String> parts = new ArrayList<>();
    if (bound.has("bytes")) {
      parts.add(ByteSizes.forPeople(bound.number("bytes")));
    }
    if (bound.has("ageMillis")) {
      parts.add(seconds(bound.number("ageMillis")));
    }
    return String.join(" and ", parts);
  }

  private static String kept(JsonText bound) {
    if (!bound.isTrue("kept")) {
      return "not kept: " + bound.text("why");
    }
    long exceededMillis = bound.number("exceededMillis");
    return exceededMillis == 0
        ? "always kept"
        : "kept now, and for " + seconds(exceededMillis) + " it was not";
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
  }
}
