package dev.tailwater.cli.report;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** A table of aligned columns; the last column may be of any length. */
public final class Table {
  private final List<String> heads;
  private final List<Boolean> right;
  private final List<Iterable<List<String>>> rows = new ArrayList<>();

  /**
   * Creates a table with these heads. A column whose head begins with {@code >} is aligned to the
   * right.
   */
  public Table(String... heads) {
    this.heads = new ArrayList<>();
    this.right = new ArrayList<>();
    for (String head : heads) {
      right.add(head.startsWith(">"));
      this.heads.add(head.startsWith(">") ? head.substring(1) : head);
    }
  }

  /** Adds a row with a cell for each column. */
  public Table row(String... cells) {
    if (cells.length != heads.size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + heads.size() + " columns");
    }
    rows.add(List.of(List.of(cells)));
    return this;
  }

  /**
   * Adds a row for each item. Its cells are made twice, for the widths of the columns and for
   * printing, and not kept: there may be a million rows.
   */
  public <T> Table rows(Collection<T> items, Function<T, List<String>> cells) {
    rows.add(() -> items.stream().map(cells).iterator());
    return this;
  }

  /** Prints the head (unless all are empty) and the rows. */
  public void print(PrintStream out) {
    int[] widths = new int[heads.size()];
    boolean headless = heads.stream().allMatch(String::isEmpty);
    List<Iterable<List<String>>> parts = new ArrayList<>(rows);
    if (!headless) {
      parts.addFirst(List.of(heads));
    }
    for (Iterable<List<String>> part : parts) {
      for (List<String> line : part) {
        for (int column = 0; column < widths.length; column++) {
          widths[column] = Math.max(widths[column], width(line.get(column)));
        }
      }
    }
    for (Iterable<List<String>> part : parts) {
      part.forEach(line -> out.println(text(line, widths)));
    }
  }

  private static int width(String cell) {
    return cell.codePointCount(0, cell.length());
  }

  private String text(List<String> line, int[] widths) {
    StringBuilder text = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      String cell = line.get(column);
      int padding = widths[column] - width(cell);
      text.append(column == 0 ? "" : "  ");
      if (right.get(column)) {
        text.repeat(' ', padding).append(cell);
      } else {
        text.append(cell).repeat(' ', padding);
      }
    }
    return text.toString().stripTrailing();
  }
}
