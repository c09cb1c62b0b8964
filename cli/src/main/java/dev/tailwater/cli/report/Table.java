package dev.tailwater.cli.report;

import dev.tailwater.restore.Jobs;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A table of aligned columns; the last column may be of any length. */
public final class Table {
  /** So many rows take a moment and little enough for several threads to share the work. */
  private static final int PART_ROWS = 512;

  /** So many parts are in memory at once. */
  private static final int WINDOW_PARTS = 32;

  /** Fewer are not worth threads. */
  private static final int MIN_PARALLEL_PARTS = 16;

  private static final int MAX_THREADS = 4;

  /** Some neighbouring rows, as their items, from which columns make cells. */
  private record Rows<T>(List<T> items, List<Column<T>> columns) {
    /** Makes the first columns wide enough. */
    void widen(int[] widths) {
      TextBuffer text = new TextBuffer();
      int[] measured = widenWhereKnown(widths);
      for (T item : items) {
        for (int column : measured) {
          text.clear();
          columns.get(column).write(item, text);
          widths[column] = Math.max(widths[column], text.characters());
        }
      }
    }

    /** Makes columns wide enough whose cells have one width; returns the numbers of the others. */
    private int[] widenWhereKnown(int[] widths) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], columns.get(column).characters().orElse(0));
      }
      return IntStream.range(0, widths.length)
          .filter(column -> columns.get(column).characters().isEmpty())
          .toArray();
    }

    void format(LineFormat format, TextBuffer text) {
      for (T item : items) {
        format.add(item, columns, text);
      }
    }

    /** Adds the same rows in parts. */
    void addParts(List<Rows<?>> parts) {
      for (int from = 0; from < items.size(); from += PART_ROWS) {
        int to = Math.min(items.size(), from + PART_ROWS);
        parts.add(new Rows<>(items.subList(from, to), columns));
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
    List<Column<List<String>>> columns = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      int column = i;
      columns.add(Column.of(row -> row.get(column)));
    }
    return new Rows<>(List.of(cells), columns);
  }

  /**
   * Adds a row for each item. Its cells are made twice, for the widths of the columns and for
   * printing, and not kept: there may be a million rows. Where there are many, several threads make
   * them.
   *
   * @param columns what makes a cell of an item, for each column; used by several threads
   */
  public <T> Table rows(List<T> items, List<Column<T>> columns) {
    if (columns.size() != heads.size()) {
      throw new IllegalArgumentException(columns.size() + " of " + heads.size() + " columns");
    }
    rows.add(new Rows<>(items, columns));
    return this;
  }

  /** Prints the head (unless all are empty) and the rows. */
  public void print(PrintStream out) {
    List<Rows<?>> parts = new ArrayList<>();
    if (!heads.stream().allMatch(String::isEmpty)) {
      parts.add(row(heads));
    }
    rows.forEach(some -> some.addParts(parts));
    LineFormat format = new LineFormat(widths(parts), right);
    List<TextBuffer> texts = Stream.generate(TextBuffer::new).limit(WINDOW_PARTS).toList();
    for (int from = 0; from < parts.size(); from += WINDOW_PARTS) {
      List<Made> window = new ArrayList<>();
      for (int i = from; i < Math.min(parts.size(), from + WINDOW_PARTS); i++) {
        window.add(new Made(parts.get(i), texts.get(i - from)));
      }
      each(window, part -> part.rows().format(format, part.text()));
      window.forEach(part -> part.text().writeTo(out));
    }
  }

  /** A part and its lines. */
  private record Made(Rows<?> rows, TextBuffer text) {}

  /** A part and how wide its columns must be. */
  private record Measured(Rows<?> rows, @SuppressWarnings("ArrayRecordComponent") int[] widths) {}

  /** Returns how wide each column is; 0 where nothing depends on it. */
  private int[] widths(List<Rows<?>> parts) {
    int[] widths = new int[heads.size()];
    int wanted = right.getLast() ? widths.length : widths.length - 1;
    List<Measured> measured =
        parts.stream().map(part -> new Measured(part, new int[wanted])).toList();
    each(measured, part -> part.rows().widen(part.widths()));
    for (Measured part : measured) {
      for (int column = 0; column < wanted; column++) {
        widths[column] = Math.max(widths[column], part.widths()[column]);
      }
    }
    return widths;
  }

  /** Does the same with each part, in several threads if there are many. */
  private static <T> void each(List<T> parts, Consumer<T> action) {
    int threads = Math.min(Runtime.getRuntime().availableProcessors(), MAX_THREADS);
    if (threads == 1 || parts.size() < MIN_PARALLEL_PARTS) {
      parts.forEach(action);
      return;
    }
    try {
      Jobs.forEach("table", parts, threads, action::accept);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
