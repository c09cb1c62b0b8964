package dev.tailwater.lab.measure;

import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A variant as it appears in a sentence.
 *
 * @param name {@code BlockWriter}
 * @param series what was measured
 * @param article what an article reported of it
 */
public record Contender(String name, Series series, OptionalDouble article) {

  /**
   * Returns a variant from a row of a table; empty if there is no such row, or nothing was
   * measured.
   */
  public static Optional<Contender> of(
      String name, ResultTable table, String quantity, Map<String, String> wanted) {
    int column = table.column(quantity);
    return table.rows().stream()
        .filter(row -> table.matches(row, wanted))
        .findFirst()
        .flatMap(
            row ->
                row.measured()
                    .get(column)
                    .map(series -> new Contender(name, series, row.article().get(column))));
  }
}
