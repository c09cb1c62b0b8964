package dev.tailwater.lab.result;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * A table of measured quantities by parameters.
 *
 * @param title in a few words; unique within an experiment, plots name it
 * @param parameters names of the first columns: {@code way}, {@code size}
 * @param quantities of the other columns
 * @param rows in the order in which they are to be shown
 */
public record ResultTable(
    String title, List<String> parameters, List<Quantity> quantities, List<Row> rows) {

  /**
   * One combination of parameters.
   *
   * @param parameters a value for each parameter, in words for people: {@code 64 KiB}
   * @param measured for each quantity; empty if it does not apply
   * @param article what the article reported, for each quantity; empty if it has no figure
   */
  public record Row(
      List<String> parameters, List<Optional<Series>> measured, List<OptionalDouble> article) {
    public Row {
      parameters = List.copyOf(parameters);
      measured = List.copyOf(measured);
      article = List.copyOf(article);
      boolean finite =
          measured.stream()
                  .flatMap(Optional::stream)
                  .allMatch(series -> series.samples().stream().allMatch(Double::isFinite))
              && article.stream().allMatch(value -> Double.isFinite(value.orElse(0)));
      if (!finite) {
        throw new IllegalArgumentException("a figure is no finite number, " + parameters);
      }
    }

    /**
     * Creates a row of measurements; a series that contains a NaN does not apply.
     *
     * @param article for each quantity, NaN if the article has no figure
     */
    public static Row of(List<String> parameters, List<Series> measured, double... article) {
      return new Row(
          parameters,
          measured.stream()
              .map(
                  series ->
                      series.samples().stream().anyMatch(value -> value.isNaN())
                          ? Optional.<Series>empty()
                          : Optional.of(series))
              .toList(),
          DoubleStream.of(article)
              .mapToObj(
                  value -> Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value))
              .toList());
    }
  }

  public ResultTable {
    parameters = List.copyOf(parameters);
    quantities = List.copyOf(quantities);
    rows = List.copyOf(rows);
    for (Row row : rows) {
      if (row.parameters().size() != parameters.size()
          || row.measured().size() != quantities.size()
          || row.article().size() != quantities.size()) {
        throw new IllegalArgumentException(title + ": a row of another shape, " + row.parameters());
      }
    }
  }

  /** Returns the table with a title, if it is one of these. */
  public static Optional<ResultTable> titled(String title, List<ResultTable> tables) {
    return tables.stream().filter(table -> table.title().equals(title)).findFirst();
  }

  /** Returns the values of a parameter in the order of the rows, each once. */
  public List<String> values(String parameter) {
    int column = parameters.indexOf(parameter);
    if (column < 0) {
      throw new IllegalArgumentException(title + " has no " + parameter);
    }
    return rows.stream().map(row -> row.parameters().get(column)).distinct().toList();
  }

  /** Returns the series of a quantity in the row with these parameters, if it was measured. */
  public Optional<Series> series(String quantity, Map<String, String> wanted) {
    int column = column(quantity);
    return rows.stream()
        .filter(row -> matches(row, wanted))
        .findFirst()
        .flatMap(row -> row.measured().get(column));
  }

  /** Returns the column of a quantity, from 0. */
  public int column(String quantity) {
    for (int i = 0; i < quantities.size(); i++) {
      if (quantities.get(i).name().equals(quantity)) {
        return i;
      }
    }
    throw new IllegalArgumentException(title + " has no " + quantity);
  }

  /**
   * Returns whether the row has these values of these parameters; other parameters do not matter.
   */
  public boolean matches(Row row, Map<String, String> wanted) {
    return wanted.entrySet().stream()
        .allMatch(
            want -> {
              int at = parameters.indexOf(want.getKey());
              return at >= 0 && row.parameters().get(at).equals(want.getValue());
            });
  }
}
