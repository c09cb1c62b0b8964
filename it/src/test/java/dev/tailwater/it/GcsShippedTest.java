package dev.tailwater.it;

import dev.tailwater.destination.gcs.FakeGcsServer;
import dev.tailwater.destination.gcs.GcsServer;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;

/** The packaged program with the plug-in for Google Cloud Storage, and an emulator. */
@ExtendWith(FakeGcsServer.class)
class GcsShippedTest extends CloudShipped {
  private final GcsServer server;

  GcsShippedTest(GcsServer server) {
    super(
        "gs",
        Map.of("TAILWATER_PLUGINS", Packaged.built("tailwater.gcs.plugins").toString()),
        server.endpoint());
    this.server = server;
  }

  @Override
  protected String newPlace(URI endpoint) throws IOException {
    return GcsServer.uri(endpoint, server.newBucket() + "/archive", Map.of());
  }

  @Override
  protected ProxyFault refusal(int status) {
    return ProxyFault.Answer.googleError(status, "backendError", "planned");
  }

  @Override
  protected boolean isSegment(ProxyRequest request) {
    return request.target().startsWith("/upload/") && request.bodyBytes() > 400;
  }
}
