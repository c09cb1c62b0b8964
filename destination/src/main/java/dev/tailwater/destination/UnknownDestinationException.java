package dev.tailwater.destination;

import java.net.URI;
import java.util.Optional;

/**
 * Signals that a text names no destination: its syntax is wrong, or no provider serves its scheme.
 */
public final class UnknownDestinationException extends PermanentDestinationException {
  private static final long serialVersionUID = 1L;

  private final String option;

  /**
   * @param destination the URI without anything that may be secret; just its scheme if in doubt
   * @param reason what is wrong with it
   */
  public UnknownDestinationException(URI destination, String reason, String hint) {
    this(destination, reason, hint, "");
  }

  /**
   * Creates an exception about an option.
   *
   * @param option its name in the query
   */
  UnknownDestinationException(URI destination, String reason, String hint, String option) {
    super(destination, "open", "", reason, hint);
    this.option = option;
  }

  /** Returns the option in the query that is wrong, if it is one. */
  public Optional<String> option() {
    return option.isEmpty() ? Optional.empty() : Optional.of(option);
  }
}
