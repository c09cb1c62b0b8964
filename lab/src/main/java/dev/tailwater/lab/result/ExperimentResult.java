package dev.tailwater.lab.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of one experiment.
 *
 * @param name {@code write-size-sync}
 * @param question one sentence
 * @param article the article it comes from, {@code 000}; empty if it comes from none
 * @param skipped why it was not run, and what to do about it; the rest is empty then
 * @param failed why it was not completed; the rest is empty then
 * @param leftOut what was not measured because time was up: {@code 2 of 5 rounds}; everything, if
 *     the experiment was skipped for that
 * @param conditions what was the same for all: {@code file size} is {@code 100 MiB}; in the order
 *     in which it is shown
 * @param plots each of them of one table
 * @param elapsedMillis how long it took
 */
public record ExperimentResult(
    String name,
    String question,
    Optional<String> article,
    Optional<String> skipped,
    Optional<String> failed,
    Optional<String> leftOut,
    Map<String, String> conditions,
    List<ResultTable> tables,
    List<Plot> plots,
    List<Conclusion> conclusions,
    List<Recommendation> recommendations,
    long elapsedMillis) {
  public ExperimentResult {
    conditions = Collections.unmodifiableMap(new LinkedHashMap<>(conditions));
    tables = List.copyOf(tables);
    plots = List.copyOf(plots);
    conclusions = List.copyOf(conclusions);
    recommendations = List.copyOf(recommendations);
    for (Plot plot : plots) {
      requireDrawable(plot, tables);
    }
  }

  /** Returns the table of a plot of this experiment. */
  public ResultTable tableOf(Plot plot) {
    return table(plot, tables);
  }

  /** Returns whether the experiment was completed. */
  public boolean isMeasured() {
    return skipped.isEmpty() && failed.isEmpty();
  }

  private static void requireDrawable(Plot plot, List<ResultTable> tables) {
    ResultTable table = table(plot, tables);
    table.column(plot.quantity());
    requireParameter(table, plot.along());
    if (!plot.by().isEmpty()) {
      requireParameter(table, plot.by());
    }
    plot.only().keySet().forEach(name -> requireParameter(table, name));
  }

  private static void requireParameter(ResultTable table, String name) {
    if (!table.parameters().contains(name)) {
      throw new IllegalArgumentException(table.title() + " has no " + name);
    }
  }

  private static ResultTable table(Plot plot, List<ResultTable> tables) {
    return tables.stream()
        .filter(table -> table.title().equals(plot.table()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no table " + plot.table()));
  }
}
