package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.PluginPlaces;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.delivery.AgentDestination;
import dev.tailwater.delivery.AgentEnvironment;
import dev.tailwater.delivery.route.LateDestination;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.UnknownDestinationException;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens what an agent delivers to. A place that cannot be opened now is opened later, unless trying
 * again is of no use and there is no other.
 */
final class OpenDestinations {
  private final List<ShipPlan.Target> targets;
  private final DestinationContext context;

  OpenDestinations(
      List<ShipPlan.Target> targets, AgentEnvironment environment, Surroundings surroundings) {
    this.targets = targets;
    this.context =
        new DestinationContext(
            environment.calls(),
            InstantSource.system(),
            environment.random(),
            PluginPlaces.of(surroundings));
  }

  /** All of them; when it fails, none is open. */
  List<AgentDestination> open() throws IOException {
    List<AgentDestination> open = new ArrayList<>();
    boolean complete = false;
    try {
      for (ShipPlan.Target target : targets) {
        open.add(named(target, open(target.uri())));
        requireNew(open);
      }
      complete = true;
      return open;
    } finally {
      if (!complete) {
        close(open);
      }
    }
  }

  private Destination open(URI uri) throws DestinationException {
    LateDestination.Opening opening =
        () -> Destinations.open(uri.toString(), OpenIntent.WRITE, context);
    try {
      return opening.open();
    } catch (UnknownDestinationException e) {
      throw e; // The user must say something else.
    } catch (DestinationException e) {
      if (e.permanent() && targets.size() == 1) {
        throw e;
      }
      return new LateDestination(canonical(uri), opening);
    }
  }

  private URI canonical(URI uri) {
    try {
      return Destinations.canonical(uri.toString(), context);
    } catch (DestinationException e) {
      return uri; // What is wrong is reported whenever opening it is tried.
    }
  }

  private static AgentDestination named(ShipPlan.Target target, Destination destination) {
    return new AgentDestination(
        target.name().orElse(destination.uri().toString()),
        destination,
        target.required(),
        target.bandwidth());
  }

  private static void requireNew(List<AgentDestination> open) {
    URI uri = open.getLast().destination().uri();
    if (open.stream().filter(d -> d.destination().uri().equals(uri)).count() > 1) {
      throw ShipPlan.sameTwice(uri.toString());
    }
  }

  /** Closes destinations that no agent has taken over. */
  static void close(List<AgentDestination> open) throws IOException {
    for (AgentDestination destination : open) {
      destination.destination().close();
    }
  }
}
