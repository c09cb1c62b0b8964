package dev.tailwater.cli.host;

import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.UnknownDestinationException;
import java.net.URI;

/** Destinations as users write them. */
public final class DestinationText {
  private DestinationText() {}

  /** Parses a destination to its URI; a relative path starts in the working directory. */
  public static URI parse(String text, Surroundings surroundings) {
    try {
      boolean isPath = !text.matches("[A-Za-z][A-Za-z0-9+.-]*:.*") && !text.isBlank();
      return Destinations.parse(isPath ? surroundings.absolute(text).toString() : text);
    } catch (UnknownDestinationException e) {
      throw UserException.usage(e.reason(), e.hint());
    }
  }
}
