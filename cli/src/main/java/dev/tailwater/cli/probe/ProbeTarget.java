package dev.tailwater.cli.probe;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import java.net.URI;

/** The destination that is probed, and folders of it. */
public interface ProbeTarget {
  /** The URI that the user gave, without secrets. */
  URI uri();

  /** Opens the destination itself for writing. */
  Destination open() throws DestinationException;

  /** Opens a folder as a destination: its {@code key} is {@code folder/key} in {@link #open()}. */
  Destination open(String folder) throws DestinationException;
}
