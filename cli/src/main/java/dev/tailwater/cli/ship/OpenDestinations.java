package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.PluginDirectories;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.delivery.AgentDestination;
import dev.tailwater.delivery.AgentEnvironment;
import dev.tailwater.delivery.route.LateDestination;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.DestinationOpener;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.UnknownDestinationException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Opens the destinations of an agent. One that cannot be opened now is opened later, unless the
 * failure is permanent and it is the only one. If there are several, one that does not answer
 * within a few seconds is opened in the background, because calls to a file server that is away
 * hang.
 */
final class OpenDestinations {
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final List<ShipPlan.Target> targets;
  private final Places places;
  private final Duration patience;

  /** The way to open destinations. */
  interface Places {
    Destination open(URI uri) throws DestinationException;

    /** Returns the URI that the open destination will have, without reaching it. */
    URI canonical(URI uri) throws DestinationException;
  }

  OpenDestinations(
      List<ShipPlan.Target> targets,
      AgentEnvironment environment,
      Surroundings surroundings,
      UnaryOperator<Destination> way) {
    this(targets, places(environment, surroundings, way), PATIENCE);
  }

  OpenDestinations(List<ShipPlan.Target> targets, Places places, Duration patience) {
    this.targets = targets;
    this.places = places;
    this.patience = patience;
  }

  private static Places places(
      AgentEnvironment environment, Surroundings surroundings, UnaryOperator<Destination> way) {
    DestinationOpener opener =
        new DestinationOpener(
            new DestinationContext(
                environment.calls(), InstantSource.system(), environment.random()),
            PluginDirectories.of(surroundings));
    return new Places() {
      @Override
      public Destination open(URI uri) throws DestinationException {
        return way.apply(opener.open(uri.toString(), OpenIntent.WRITE));
      }

      @Override
      public URI canonical(URI uri) throws DestinationException {
        return opener.canonical(uri.toString());
      }
    };
  }

  /** Opens all destinations; if it fails, none is open. */
  List<AgentDestination> open() throws IOException {
    List<BackgroundOpening> openings =
        targets.stream()
            .map(ShipPlan.Target::uri)
            .map(uri -> new BackgroundOpening(uri, () -> places.open(uri)))
            .toList();
    openings.forEach(BackgroundOpening::begin);
    long deadlineNanos = System.nanoTime() + patience.toNanos();
    List<AgentDestination> open = new ArrayList<>();
    boolean complete = false;
    try {
      for (int i = 0; i < targets.size(); i++) {
        ShipPlan.Target target = targets.get(i);
        open.add(named(target, open(target.uri(), openings.get(i), deadlineNanos)));
        requireNew(open);
      }
      complete = true;
      return open;
    } finally {
      if (!complete) {
        openings.forEach(BackgroundOpening::abandon);
      }
    }
  }

  private Destination open(URI uri, BackgroundOpening opening, long deadlineNanos)
      throws IOException {
    try {
      if (targets.size() == 1) {
        return opening.open(); // There is nothing to be done without it.
      }
      Optional<Destination> open = opening.open(deadlineNanos);
      return open.isPresent() ? open.get() : new LateDestination(canonical(uri), opening);
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
      return places.canonical(uri);
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

  /**
   * Closes destinations that no agent has taken over, since something failed.
   *
   * @param reason what failed; gets what goes wrong now as suppressed
   */
  static void close(List<AgentDestination> open, Throwable reason) {
    for (AgentDestination destination : open) {
      try {
        destination.destination().close();
      } catch (DestinationException | RuntimeException | Error e) {
        reason.addSuppressed(e);
      }
    }
  }
}
