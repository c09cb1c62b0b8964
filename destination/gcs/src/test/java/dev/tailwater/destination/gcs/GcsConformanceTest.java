package dev.tailwater.destination.gcs;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.testkit.DestinationConformance;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;

/** The conformance tests for a bucket of fake-gcs-server. */
@ExtendWith(FakeGcsServer.class)
class GcsConformanceTest extends DestinationConformance {
  private final GcsServer server;
  private Optional<String> bucket = Optional.empty();

  GcsConformanceTest(GcsServer server) {
    this.server = server;
  }

  @Override
  protected Destination open() throws IOException {
    if (bucket.isEmpty()) {
      bucket = Optional.of(server.newBucket());
    }
    return GcsServer.open(server.endpoint(), bucket.get(), Map.of());
  }
}
