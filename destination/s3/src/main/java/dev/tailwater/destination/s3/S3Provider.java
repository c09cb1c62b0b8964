package dev.tailwater.destination.s3;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.DestinationOption;
import dev.tailwater.destination.DestinationProvider;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.UnknownDestinationException;
import dev.tailwater.destination.cloud.CloudDestination;
import dev.tailwater.destination.cloud.CloudPlace;
import dev.tailwater.destination.cloud.TimeLimits;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** The provider of {@code s3://bucket/prefix}; found by the service loader. */
public final class S3Provider implements DestinationProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("s3");
  }

  @Override
  public List<DestinationOption> options() {
    return S3Option.all();
  }

  @Override
  public void check(URI uri) throws UnknownDestinationException {
    S3Place.parse(uri).checkWith(AwsSettings.ofProcess());
  }

  @Override
  public URI canonical(URI uri) throws UnknownDestinationException {
    return S3Place.parse(uri).uri();
  }

  /**
   * Opens the destination without a request: an agent must be able to start while the network is
   * down.
   */
  @Override
  public Destination open(URI uri, OpenIntent intent, DestinationContext context)
      throws DestinationException {
    S3Place place = S3Place.parse(uri);
    place.checkWith(AwsSettings.ofProcess());
    return open(place, intent, TimeLimits.STANDARD, context.clock());
  }

  static Destination open(S3Place place, OpenIntent intent, TimeLimits limits, InstantSource clock)
      throws DestinationException {
    return new CloudDestination(
        new CloudPlace(place.uri(), place.keyPrefix(), place.newObjects().retention().isPresent()),
        intent,
        new S3Store(place, S3Requests.open(place, limits, clock), clock),
        new Failures(place.uri()),
        limits);
  }
}
