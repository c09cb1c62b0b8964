package dev.tailwater.cli.value;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The search for the word that a user probably meant. */
public final class NearestWord {
  private NearestWord() {}

  /**
   * Returns the candidate that is the fewest edits away, if it is near enough to be a typing error:
   * half of a word is not. The case of letters does not count, nor do the dashes of an option.
   */
  public static Optional<String> to(String word, Collection<String> candidates) {
    String wanted = letters(word);
    int farthest = Math.max(2, wanted.length() / 3);
    return candidates.stream()
        .min(Comparator.comparingInt(candidate -> edits(wanted, letters(candidate))))
        .filter(candidate -> isNear(wanted, letters(candidate), farthest));
  }

  private static boolean isNear(String word, String candidate, int farthest) {
    int edits = edits(word, candidate);
    return edits <= farthest && 2 * edits <= Math.max(word.length(), candidate.length());
  }

  private static String letters(String word) {
    return word.replaceFirst("^-+", "").toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the Levenshtein distance: how many insertions, deletions and replacements turn one into
   * the other.
   */
  static int edits(String from, String to) {
    int[] previous = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      previous[column] = column;
    }
    for (int row = 1; row <= from.length(); row++) {
      int[] current = new int[to.length() + 1];
      current[0] = row;
      for (int column = 1; column <= to.length(); column++) {
        int replaced = from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1;
        current[column] =
            Math.min(
                previous[column - 1] + replaced,
                1 + Math.min(previous[column], current[column - 1]));
      }
      previous = current;
    }
    return previous[to.length()];
  }
}
