package dev.tailwater.destination;

import java.net.URI;

/** Signals a {@link Destination#read} of a key that has no object. */
public final class NoSuchObjectException extends PermanentDestinationException {
  private static final long serialVersionUID = 1L;

  public NoSuchObjectException(URI destination, String key) {
    super(
        destination,
        "read",
        key,
        "there is no such object",
        "tailwater ls shows what the archive holds.");
  }
}
