package dev.tailwater.destination.azure;

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

/** The provider of {@code az://account/container/prefix}; found by the service loader. */
public final class AzureProvider implements DestinationProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("az");
  }

  @Override
  public List<DestinationOption> options() {
    return AzureOption.all();
  }

  @Override
  public void check(URI uri) throws UnknownDestinationException {
    var _ = AzurePlace.parse(uri);
  }

  @Override
  public URI canonical(URI uri) throws UnknownDestinationException {
    return AzurePlace.parse(uri).place().uri();
  }

  /**
   * Opens the destination without a request: an agent must be able to start while the network is
   * down.
   */
  @Override
  public Destination open(URI uri, OpenIntent intent, DestinationContext context)
      throws UnknownDestinationException {
    return open(
        AzurePlace.parse(uri),
        intent,
        TimeLimits.STANDARD,
        AzureEnvironment.ofTheMachine(),
        context);
  }

  static Destination open(
      AzurePlace place,
      OpenIntent intent,
      TimeLimits limits,
      AzureEnvironment environment,
      DestinationContext context) {
    HttpSender sender = HttpSender.open(limits);
    AzureCredentials credentials =
        new AzureCredentials(
            place, environment, new AzureTokens(sender, environment, context.clock()));
    AzureRequests requests = new AzureRequests(sender, place, credentials, context.clock());
    return new CloudDestination(
        place.place(),
        intent,
        new AzureStore(requests, context.random()),
        new AzureFailures(place.place().uri()),
        limits);
  }
}
