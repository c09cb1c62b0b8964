package dev.tailwater.delivery;

import dev.tailwater.delivery.route.Bandwidth;
import dev.tailwater.destination.Destination;

/**
 * A destination of an agent.
 *
 * @param name for reports; unique within the agent
 * @param required whether bytes are at risk until they are durable here; otherwise it is best
 *     effort: it gets everything that it can take, but nobody relies on it
 * @param bandwidth how fast bytes may be sent there, except in a drain
 */
public record AgentDestination(
    String name, Destination destination, boolean required, Bandwidth bandwidth) {

  /** Creates the only destination of an agent, without a bandwidth limit. */
  static AgentDestination only(Destination destination) {
    return new AgentDestination(
        destination.uri().toString(), destination, true, Bandwidth.UNLIMITED);
  }
}
