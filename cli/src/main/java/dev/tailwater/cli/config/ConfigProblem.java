package dev.tailwater.cli.config;

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
  /** Separates message and hint in what the modules below say. */
  private static final String HINT = ". Hint: ";

  public ConfigProblem {
    int at = message.indexOf(HINT);
    if (at >= 0 && hint.isEmpty()) {
      hint = Optional.of(message.substring(at + HINT.length()));
      message = message.substring(0, at);
    }
    message = Secrets.mask(message);
  }

  /** Formats it as compilers do: {@code tailwater.yaml:3:5: message}. */
  public String at(String file) {
    return file + ":" + line + ":" + column + ": " + message;
  }
}
