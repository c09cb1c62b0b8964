package dev.tailwater.lab.report;

import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table as the page shows it: medians with their intervals, next to the article's figures.
 *
 * @param note how the figures were obtained
 */
record TableView(String title, List<Head> heads, List<Row> rows, String note) {
  /** The head of a column; {@code kind} is its class in the style sheet. */
  record Head(String name, String unit, String kind) {}

  record Row(List<String> parameters, List<Cell> cells) {}

  record Cell(String value, String interval, String kind) {}

  static TableView of(ResultTable table) {
    boolean[] told = new boolean[table.quantities().size()];
    for (int i = 0; i < told.length; i++) {
      int column = i;
      told[i] = table.rows().stream().anyMatch(row -> row.article().get(column).isPresent());
    }
    List<Head> heads = new ArrayList<>();
    table.parameters().forEach(name -> heads.add(new Head(name, "", "")));
    for (int i = 0; i < told.length; i++) {
      Quantity quantity = table.quantities().get(i);
      heads.add(new Head(quantity.name(), unit(quantity), "n"));
      if (told[i]) {
        heads.add(new Head("article", quantity.unit(), "n"));
      }
    }
    List<Row> rows =
        table.rows().stream().map(row -> new Row(row.parameters(), cells(row, told))).toList();
    return new TableView(table.title(), heads, rows, note(table));
  }

  private static List<Cell> cells(ResultTable.Row row, boolean[] told) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < told.length; i++) {
      Optional<Series> measured = row.measured().get(i);
      cells.add(
          new Cell(
              measured.map(Numbers::median).orElse("–"),
              measured.map(Numbers::interval).orElse(""),
              "n"));
      if (told[i]) {
        OptionalDouble article = row.article().get(i);
        String text = article.isPresent() ? Numbers.article(article.getAsDouble()) : "";
        cells.add(new Cell(text, "", "n a"));
      }
    }
    return cells;
  }

  private static String unit(Quantity quantity) {
    return switch (quantity.better()) {
      case MORE -> quantity.unit() + " ↑";
      case LESS -> quantity.unit() + " ↓";
      case NONE -> quantity.unit();
    };
  }

  private static String note(ResultTable table) {
    int[] counts =
        table.rows().stream()
            .flatMap(row -> row.measured().stream())
            .flatMap(Optional::stream)
            .flatMapToInt(series -> IntStream.of(series.samples().size()))
            .filter(count -> count > 1)
            .sorted()
            .toArray();
    Stream.Builder<String> note = Stream.builder();
    if (counts.length > 0) {
      int least = counts[0];
      int most = counts[counts.length - 1];
      note.add(
          "Medians of "
              + (least == most ? "" + least : least + " to " + most)
              + " samples, below them "
              + (most < 6 ? "the least and the greatest." : "95 % confidence intervals."));
    }
    note.add("↑ more is better, ↓ less is better.");
    return String.join(" ", note.build().toList());
  }
}
