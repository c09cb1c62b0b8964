package dev.tailwater.destination;

import java.net.URI;

/** A text that names no destination: bad syntax, or a scheme that nothing here serves. */
public final class UnknownDestinationException extends PermanentDestinationException {
  private static final long serialVersionUID = 1L;

  /**
   * @param destination the URI without anything that may be secret; just its scheme if in doubt
   * @param reason what is wrong with it
   */
  public UnknownDestinationException(URI destination, String reason, String hint) {
    super(destination, "open", "", reason, hint);
  }
}
