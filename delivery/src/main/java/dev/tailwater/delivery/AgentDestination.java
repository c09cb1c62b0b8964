package dev.tailwater.delivery;

import dev.tailwater.delivery.route.Bandwidth;
import dev.tailwater.destination.Destination;

/**
 * One of the places that an agent delivers to.
 *
 * @param name for reports; no two of an agent are the same
 * @param required whether bytes are at risk until they are durable here; otherwise it is best
 *     effort: it gets everything that it can take, but nobody counts on it
 * @param bandwidth how fast bytes may go there, except in a drain
 */
public record AgentDestination(
    String name, Destination destination, boolean required, Bandwidth bandwidth) {

  /** The only one, as fast as it goes. */
  static AgentDestination only(Destination destination) {
    return new AgentDestination(
        destination.uri().toString(), destination, true, Bandwidth.UNLIMITED);
  }
}
