package dev.tailwater.destination.contract;

import dev.tailwater.destination.Destination;
import java.io.IOException;

/**
 * A function that opens the place of one check for writing: empty the first time, then the same
 * place again.
 */
@FunctionalInterface
public interface PlaceOpener {
  Destination open() throws IOException;
}
