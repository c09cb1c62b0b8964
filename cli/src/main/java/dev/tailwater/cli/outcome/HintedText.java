package dev.tailwater.cli.outcome;

import java.util.Optional;

/**
 * What the modules below say, which may end in a hint.
 *
 * @param message what is wrong
 * @param hint what to do next
 */
public record HintedText(String message, Optional<String> hint) {
  private static final String HINT = ". Hint: ";

  /** Separates the two. */
  public static HintedText of(String text) {
    int at = text.indexOf(HINT);
    return at < 0
        ? new HintedText(text, Optional.empty())
        : new HintedText(text.substring(0, at), Optional.of(text.substring(at + HINT.length())));
  }
}
