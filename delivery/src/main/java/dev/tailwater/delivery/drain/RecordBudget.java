package dev.tailwater.delivery.drain;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * How much each list of a record may take, so that all of it is within the 4 MiB that a reader
 * takes: one that is longer would say nothing at all. Names are others' input.
 *
 * @param mostBytes what the elements of one list may take as JSON
 */
record RecordBudget(long mostBytes) {
  /** The streams, with the most to say. */
  static final RecordBudget STREAMS = new RecordBudget(2 << 20);

  /** Each of the other lists. */
  static final RecordBudget OTHERS = new RecordBudget(300 << 10);

  /** A control character, or one that takes four bytes of UTF-8, as two surrogates of three. */
  private static final int MOST_BYTES_EACH_CHARACTER = 6;

  /** Returns the first elements that fit. */
  <T> List<T> first(List<T> all, Function<T, String> text, ToIntFunction<T> otherBytes) {
    List<T> first = new ArrayList<>();
    long bytes = 0;
    for (T one : all) {
      bytes += jsonBytes(text.apply(one)) + otherBytes.applyAsInt(one);
      if (bytes > mostBytes) {
        break;
      }
      first.add(one);
    }
    return first;
  }

  private static long jsonBytes(String text) {
    return text.chars().mapToLong(c -> isPlain(c) ? 1 : MOST_BYTES_EACH_CHARACTER).sum();
  }

  private static boolean isPlain(int character) {
    return character >= ' ' && character < 0x7f && character != '"' && character != '\\';
  }
}
