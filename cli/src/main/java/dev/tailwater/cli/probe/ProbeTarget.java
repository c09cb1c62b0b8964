package dev.tailwater.cli.probe;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import java.net.URI;

/** The destination that is probed, as a whole and by folders. */
public interface ProbeTarget {
  /** What the user named, without secrets. */
  URI uri();

  /** Opens the destination itself to write. */
  Destination open() throws DestinationException;

  /**
   * Opens what would be the destination if its URI ended with that folder. What it calls {@code
   * key} is {@code folder/key} in {@link #open()}.
   */
  Destination open(String folder) throws DestinationException;
}
