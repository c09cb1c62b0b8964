package dev.tailwater.cli.report;

import java.util.OptionalInt;
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

  /** Returns how many characters each cell has; empty where that must be measured. */
  default OptionalInt characters() {
    return OptionalInt.empty();
  }

  /** Returns a column of texts of ASCII, all of which have so many characters. */
  static <T> Column<T> ofAscii(int characters, Function<T, String> text) {
    return new Column<>() {
      @Override
      public void write(T item, TextBuffer buffer) {
        buffer.ascii(text.apply(item));
      }

      @Override
      public OptionalInt characters() {
        return OptionalInt.of(characters);
      }
    };
  }

  /** Returns a column of these texts. */
  static <T> Column<T> of(Function<T, String> text) {
    return (item, buffer) -> buffer.text(text.apply(item));
  }
}
