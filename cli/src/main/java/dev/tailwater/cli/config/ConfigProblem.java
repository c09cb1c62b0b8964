package dev.tailwater.cli.config;

import dev.tailwater.cli.outcome.HintedText;
import dev.tailwater.cli.value.Secrets;
import java.util.Optional;

/**
 * A problem in a configuration file.
 *
 * @param line from 1
 * @param column from 1
 * @param message what is wrong
 * @param hint what was probably meant
 */
public record ConfigProblem(int line, int column, String message, Optional<String> hint) {
  public ConfigProblem {
    HintedText text = HintedText.of(message);
    if (hint.isEmpty() && text.hint().isPresent()) {
      hint = text.hint();
      message = text.message();
    }
    message = Secrets.mask(message);
  }

  /** Formats it as compilers do: {@code tailwater.yaml:3:5: message}. */
  public String at(String file) {
    return file + ":" + line + ":" + column + ": " + message;
  }
}
