package dev.tailwater.it.soak;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** How many rounds of each kind there were, and how they ended. Thread-safe. */
final class Tally {
  private final Map<String, Row> rows = new LinkedHashMap<>();

  private static final class Row {
    private int rounds;
    private int failures;
    private boolean skipped;
    private long millis;

    private String text(String name) {
      return String.format(
          Locale.ROOT,
          "%-24s %8d %9d %9.1f  %s",
          name,
          rounds,
          failures,
          millis / 1000.0,
          skipped ? "not possible on this machine" : "");
    }
  }

  synchronized void add(String kind, SoakRound.Outcome outcome, long millis) {
    Row row = rows.computeIfAbsent(kind, _ -> new Row());
    row.millis += millis;
    switch (outcome) {
      case SKIPPED -> row.skipped = true;
      case OK -> row.rounds++;
      case FAILED -> {
        row.rounds++;
        row.failures++;
      }
    }
  }

  synchronized int failures() {
    return rows.values().stream().mapToInt(row -> row.failures).sum();
  }

  synchronized int rounds() {
    return rows.values().stream().mapToInt(row -> row.rounds).sum();
  }

  /** A table with a line for each kind, and their sum. */
  synchronized String table() {
    StringBuilder table =
        new StringBuilder("KIND                       ROUNDS  FAILURES   SECONDS\n");
    Row all = new Row();
    rows.forEach(
        (name, row) -> {
          table.append(row.text(name).stripTrailing()).append('\n');
          all.rounds += row.rounds;
          all.failures += row.failures;
          all.millis += row.millis;
        });
    return table.append(all.text("all").stripTrailing()).append('\n').toString();
  }
}
