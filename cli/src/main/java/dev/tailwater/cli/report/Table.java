package dev.tailwater.cli.report;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A table of aligned columns; the last column may be of any length. */
public final class Table {
  private final List<String> heads;
  private final List<Boolean> right;
  private final List<List<String>> rows = new ArrayList<>();

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
    rows.add(List.of(cells));
    return this;
  }

  /** Prints the head (unless all are empty) and the rows. */
  public void print(PrintStream out) {
    int[] widths = new int[heads.size()];
    boolean headless = heads.stream().allMatch(String::isEmpty);
    List<List<String>> lines = new ArrayList<>();
    if (!headless) {
      lines.add(heads);
    }
    lines.addAll(rows);
    for (List<String> line : lines) {
      for (int column = 0; column < widths.length; column++) {
        String cell = line.get(column);
        widths[column] = Math.max(widths[column], cell.codePointCount(0, cell.length()));
      }
    }
    for (List<String> line : lines) {
      StringBuilder text = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        String cell = line.get(column);
        String padding = " ".repeat(widths[column] - cell.codePointCount(0, cell.length()));
        text.append(column == 0 ? "" : "  ");
        text.append(right.get(column) ? padding + cell : cell + padding);
      }
      out.println(text.toString().stripTrailing());
    }
  }
}
