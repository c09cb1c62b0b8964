package dev.tailwater.destination.azure;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.contract.Deviation;
import dev.tailwater.destination.testkit.DestinationConformance;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;

/** The conformance tests for a container of Azurite. */
@ExtendWith(Azurite.class)
class AzureConformanceTest extends DestinationConformance {
  private final AzureServer server;
  private Optional<String> container = Optional.empty();

  AzureConformanceTest(AzureServer server) {
    this.server = server;
  }

  @Override
  protected Set<Deviation> deviations() {
    return Set.of(Deviation.ORDERS_BY_UTF_16);
  }

  @Override
  protected Destination open() throws IOException {
    if (container.isEmpty()) {
      container = Optional.of(server.newContainer());
    }
    String uri = AzureServer.uri(server.endpoint(), container.get(), Map.of());
    return AzureServer.open(URI.create(uri), TimeLimits.STANDARD);
  }
}
