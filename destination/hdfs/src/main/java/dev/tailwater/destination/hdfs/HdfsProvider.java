package dev.tailwater.destination.hdfs;

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

/**
 * The provider of {@code hdfs://host:port/path} and {@code hdfs://nameservice/path}; found by the
 * service loader.
 */
public final class HdfsProvider implements DestinationProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("hdfs");
  }

  @Override
  public List<DestinationOption> options() {
    return HdfsOption.all();
  }

  @Override
  public void check(URI uri) throws UnknownDestinationException {
    var _ = HdfsPlace.parse(uri);
  }

  @Override
  public URI canonical(URI uri) throws UnknownDestinationException {
    return HdfsPlace.parse(uri).uri();
  }

  /**
   * Opens the destination without a call: an agent must be able to start while the cluster is down.
   */
  @Override
  public Destination open(URI uri, OpenIntent intent, DestinationContext context)
      throws DestinationException {
    return HdfsDestination.open(HdfsPlace.parse(uri), intent, context, TimeLimits.STANDARD);
  }
}
