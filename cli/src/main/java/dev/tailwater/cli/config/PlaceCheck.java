package dev.tailwater.cli.config;

import dev.tailwater.destination.PermanentDestinationException;

/** Looks closer at the places to ship to that a configuration file names. */
public interface PlaceCheck {
  /**
   * Looks at one.
   *
   * @param place a URI or an absolute path
   * @throws PermanentDestinationException nothing can be shipped there
   */
  void check(String place) throws PermanentDestinationException;
}
