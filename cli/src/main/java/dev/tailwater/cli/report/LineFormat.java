package dev.tailwater.cli.report;

import java.util.List;

/** How the lines of a {@link Table} are aligned. */
final class LineFormat {
  private static final int SPACES_BETWEEN = 2;

  private final int[] widths;
  private final boolean[] right;

  /**
   * @param widths how many characters each column is wide
   * @param right which columns are aligned to the right
   */
  LineFormat(int[] widths, List<Boolean> right) {
    this.widths = widths.clone();
    this.right = new boolean[widths.length];
    for (int column = 0; column < widths.length; column++) {
      this.right[column] = right.get(column);
    }
  }

  /** Appends the line of an item. */
  <T> void add(T item, List<Column<T>> columns, TextBuffer text) {
    int lineStart = text.lengthBytes();
    for (int column = 0; column < widths.length; column++) {
      if (column > 0) {
        text.spaces(SPACES_BETWEEN);
      }
      int start = text.lengthBytes();
      int charactersBefore = text.characters();
      columns.get(column).write(item, text);
      int padding = Math.max(0, widths[column] - (text.characters() - charactersBefore));
      if (right[column]) {
        text.insertSpaces(start, padding);
      } else if (column < widths.length - 1) {
        text.spaces(padding);
      }
    }
    text.trimEnd(lineStart);
    text.ascii(System.lineSeparator());
  }
}
