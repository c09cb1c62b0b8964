package dev.tailwater.cli.report;

import java.util.function.Function;

/**
 * A column of a {@link Table}.
 *
 * @param <T> what a row is made of
 */
@FunctionalInterface
public interface Column<T> {
  /** Appends the cell of an item. */
  void write(T item, TextBuffer text);

  /** Returns a column of these texts. */
  static <T> Column<T> of(Function<T, String> text) {
    return (item, buffer) -> buffer.text(text.apply(item));
  }
}
