package dev.tailwater.cli.value;

import dev.tailwater.archive.merge.RevisionRetention;

/** The text of a retention of replaced bytes: {@code all}, {@code none} or a duration. */
public final class RevisionTexts {
  private RevisionTexts() {}

  /**
   * Parses a text.
   *
   * @throws IllegalArgumentException it is none of these; the message says what was expected
   */
  public static RevisionRetention parse(String text) {
    return switch (text) {
      case "all" -> RevisionRetention.ALL;
      case "none" -> RevisionRetention.NONE;
      default -> {
        try {
          yield RevisionRetention.of(Durations.parse(text));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(
              "expected all, none or a duration like 7d, of at most 36500d", e);
        }
      }
    };
  }
}
