package dev.tailwater.destination.s3;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.testkit.DestinationConformance;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;

/** The conformance tests for a bucket of versitygw. */
@ExtendWith(VersityServer.class)
class VersityConformanceTest extends DestinationConformance {
  private final S3Server server;
  private Optional<String> bucket = Optional.empty();

  VersityConformanceTest(S3Server server) {
    this.server = server;
  }

  @Override
  protected Destination open() throws IOException {
    if (bucket.isEmpty()) {
      bucket = Optional.of(server.newBucket());
    }
    return server.open(bucket.get(), Map.of());
  }
}
