package dev.tailwater.destination;

import java.net.URI;

/**
 * Opens destinations in one environment, also those that need a plug-in. Thread-safe.
 *
 * @param plugins the kinds of destinations besides those on the class path
 */
public record DestinationOpener(DestinationContext context, Plugins plugins) {
  /**
   * Opens the destination that the text names; see {@link Destinations#open}.
   *
   * @throws UnknownDestinationException the text names no destination; message and hint say what
   *     would
   * @throws DestinationException the destination cannot be opened now
   */
  public Destination open(String text, OpenIntent intent) throws DestinationException {
    return Destinations.open(text, intent, context, plugins);
  }

  /**
   * Returns the URI that the destination will have once it is open, without a call to it.
   *
   * @throws UnknownDestinationException the text names no destination; message and hint say what
   *     would
   * @throws DestinationException a plug-in cannot be loaded
   */
  public URI canonical(String text) throws DestinationException {
    return Destinations.canonical(text, plugins);
  }
}
