package dev.tailwater.destination.s3;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.contract.Deviation;
import dev.tailwater.destination.testkit.DestinationConformance;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;

/** The conformance tests for a bucket of S3Proxy. */
@ExtendWith(S3ProxyServer.class)
class S3ProxyConformanceTest extends DestinationConformance {
  private final S3Server server;
  private Optional<String> bucket = Optional.empty();

  S3ProxyConformanceTest(S3Server server) {
    this.server = server;
  }

  @Override
  protected Set<Deviation> deviations() {
    return Set.of(Deviation.ORDERS_BY_UTF_16, Deviation.LISTS_UNFINISHED_OBJECTS);
  }

  @Override
  protected Destination open() throws IOException {
    if (bucket.isEmpty()) {
      bucket = Optional.of(server.newBucket());
    }
    return server.open(bucket.get(), Map.of());
  }
}
