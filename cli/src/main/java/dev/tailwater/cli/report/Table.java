package dev.tailwater.cli.report;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** A table of aligned columns; the last column may be of any length. */
public final class Table {
  /** How much text is printed at once: a line is too little for a call of the system. */
  private static final int CHUNK_CHARACTERS = 1 << 15;

  /** Some neighbouring rows: a cell of each is made of its item by the function of the column. */
  private record Rows<T>(Collection<T> items, List<Function<T, String>> columns) {
    /** Makes the first columns wide enough. */
    void widen(int[] widths, int columnCount) {
      for (T item : items) {
        for (int column = 0; column < columnCount; column++) {
          String cell = columns.get(column).apply(item);
          widths[column] = Math.max(widths[column], width(cell));
        }
      }
    }

    void print(LinePrinter printer) {
      String[] cells = new String[columns.size()];
      for (T item : items) {
        for (int column = 0; column < cells.length; column++) {
          cells[column] = columns.get(column).apply(item);
        }
        printer.print(cells);
      }
    }
  }

  private final List<String> heads;
  private final List<Boolean> right;
  private final List<Rows<?>> rows = new ArrayList<>();

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
    rows.add(row(List.of(cells)));
    return this;
  }

  private static Rows<List<String>> row(List<String> cells) {
    List<Function<List<String>, String>> columns = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      int column = i;
      columns.add(row -> row.get(column));
    }
    return new Rows<>(List.of(cells), columns);
  }

  /**
   * Adds a row for each item. Its cells are made twice, for the widths of the columns and for
   * printing, and not kept: there may be a million rows.
   *
   * @param columns what makes a cell of an item, for each column
   */
  public <T> Table rows(Collection<T> items, List<Function<T, String>> columns) {
    if (columns.size() != heads.size()) {
      throw new IllegalArgumentException(columns.size() + " of " + heads.size() + " columns");
    }
    rows.add(new Rows<>(items, columns));
    return this;
  }

  /** Prints the head (unless all are empty) and the rows. */
  public void print(PrintStream out) {
    int[] widths = new int[heads.size()];
    boolean headless = heads.stream().allMatch(String::isEmpty);
    List<Rows<?>> parts = new ArrayList<>(rows);
    if (!headless) {
      parts.addFirst(row(heads));
    }
    // Nothing depends on how wide the last column is, unless it is aligned to the right.
    int wanted = right.getLast() ? widths.length : widths.length - 1;
    parts.forEach(part -> part.widen(widths, wanted));
    LinePrinter printer = new LinePrinter(out, widths);
    parts.forEach(part -> part.print(printer));
    printer.flush();
  }

  private static int width(String cell) {
    return cell.codePointCount(0, cell.length());
  }

  /** Prints lines, many at once. */
  private final class LinePrinter {
    private final PrintStream out;
    private final int[] widths;
    private final StringBuilder text = new StringBuilder();

    LinePrinter(PrintStream out, int[] widths) {
      this.out = out;
      this.widths = widths;
    }

    void print(String[] cells) {
      int start = text.length();
      for (int column = 0; column < widths.length; column++) {
        String cell = cells[column];
        int padding = Math.max(0, widths[column] - width(cell));
        text.append(column == 0 ? "" : "  ");
        if (right.get(column)) {
          text.repeat(' ', padding).append(cell);
        } else {
          text.append(cell).repeat(' ', padding);
        }
      }
      int end = text.length();
      while (end > start && Character.isWhitespace(text.charAt(end - 1))) {
        end--;
      }
      text.setLength(end);
      text.append(System.lineSeparator());
      if (text.length() >= CHUNK_CHARACTERS) {
        flush();
      }
    }

    void flush() {
      byte[] bytes = text.toString().getBytes(out.charset());
      out.write(bytes, 0, bytes.length);
      text.setLength(0);
    }
  }
}
