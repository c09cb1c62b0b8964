package dev.tailwater.destination.s3;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.DestinationOption;
import dev.tailwater.destination.DestinationProvider;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.UnknownDestinationException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

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
    var _ = S3Place.parse(uri);
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
    return new S3Destination(
        place,
        intent,
        S3Requests.open(place, TimeLimits.STANDARD),
        new Throttle(System::nanoTime, TimeUnit.NANOSECONDS::sleep),
        context.clock());
  }
}
