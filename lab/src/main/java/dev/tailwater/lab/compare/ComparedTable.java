package dev.tailwater.lab.compare;

import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.ResultTable.Row;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A table that is in both results.
 *
 * @param rows those that both have measured
 * @param onlyFirst the number of rows that only the first has
 */
public record ComparedTable(
    String title,
    List<String> parameters,
    List<ComparedRow> rows,
    long onlyFirst,
    long onlySecond) {

  /** Returns the comparison; empty if the tables do not have the same parameters. */
  static Optional<ComparedTable> of(ResultTable first, ResultTable second) {
    if (!first.parameters().equals(second.parameters())) {
      return Optional.empty();
    }
    List<ComparedRow> rows = new ArrayList<>();
    for (Row row : first.rows()) {
      like(row, second).ifPresent(other -> rows.addAll(rows(first, row, second, other)));
    }
    return Optional.of(
        new ComparedTable(
            first.title(),
            first.parameters(),
            rows,
            missing(first, second),
            missing(second, first)));
  }

  private static List<ComparedRow> rows(ResultTable first, Row row, ResultTable second, Row other) {
    List<ComparedRow> rows = new ArrayList<>();
    for (int i = 0; i < first.quantities().size(); i++) {
      Quantity quantity = first.quantities().get(i);
      int column = second.quantities().indexOf(quantity);
      Optional<Series> mine = row.measured().get(i);
      Optional<Series> theirs = column < 0 ? Optional.empty() : other.measured().get(column);
      if (mine.isPresent() && theirs.isPresent()) {
        rows.add(ComparedRow.of(row.parameters(), quantity, mine.get(), theirs.get()));
      }
    }
    return rows;
  }

  private static long missing(ResultTable from, ResultTable in) {
    return from.rows().stream().filter(row -> like(row, in).isEmpty()).count();
  }

  private static Optional<Row> like(Row row, ResultTable table) {
    return table.rows().stream()
        .filter(other -> other.parameters().equals(row.parameters()))
        .findFirst();
  }
}
