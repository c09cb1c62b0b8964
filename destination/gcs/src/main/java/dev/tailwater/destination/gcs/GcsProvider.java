package dev.tailwater.destination.gcs;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationOption;
import dev.tailwater.destination.DestinationProvider;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.UnknownDestinationException;
import dev.tailwater.destination.cloud.CloudDestination;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.cloud.http.HttpSender;
import java.net.URI;
import java.util.List;
import java.util.Set;

/** The provider of {@code gs://bucket/prefix}; found by the service loader. */
public final class GcsProvider implements DestinationProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("gs");
  }

  @Override
  public List<DestinationOption> options() {
    return GcsOption.all();
  }

  @Override
  public void check(URI uri) throws UnknownDestinationException {
    var _ = GcsPlace.parse(uri);
  }

  @Override
  public URI canonical(URI uri) throws UnknownDestinationException {
    return GcsPlace.parse(uri).place().uri();
  }

  /**
   * Opens the destination without a request: an agent must be able to start while the network is
   * down.
   */
  @Override
  public Destination open(URI uri, OpenIntent intent, DestinationContext context)
      throws UnknownDestinationException {
    GcsPlace place = GcsPlace.parse(uri);
    GcsCredentials credentials =
        place.needsCredentials() ? GcsCredentials.ofTheMachine() : GcsCredentials.none();
    return open(place, intent, TimeLimits.STANDARD, credentials, context);
  }

  static Destination open(
      GcsPlace place,
      OpenIntent intent,
      TimeLimits limits,
      GcsCredentials credentials,
      DestinationContext context) {
    GcsRequests requests = new GcsRequests(HttpSender.open(limits), place, credentials);
    return new CloudDestination(
        place.place(),
        intent,
        new GcsStore(requests, place, context.random(), context.clock()),
        new GcsFailures(place.place().uri()),
        limits);
  }
}
