package dev.tailwater.destination.testkit;

import dev.tailwater.destination.Destination;
import java.io.IOException;

/** Opens the place of the running test; again after a close if need be. */
@FunctionalInterface
interface PlaceSource {
  Destination open() throws IOException;
}
