package dev.tailwater.it;

import dev.tailwater.destination.azure.AzureServer;
import dev.tailwater.destination.azure.Azurite;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;

/** The packaged program with the plug-in for Azure, and its emulator. */
@ExtendWith(Azurite.class)
class AzureShippedTest extends CloudShipped {
  private final AzureServer server;

  AzureShippedTest(AzureServer server) {
    super(
        "az",
        Map.of(
            "TAILWATER_PLUGINS",
            Packaged.built("tailwater.azure.plugins").toString(),
            "AZURE_STORAGE_KEY",
            AzureServer.KEY),
        server.endpoint());
    this.server = server;
  }

  @Override
  protected String newPlace(URI endpoint) throws IOException {
    return AzureServer.uri(endpoint, server.newContainer() + "/archive", Map.of());
  }

  @Override
  protected ProxyFault refusal(int status) {
    return ProxyFault.Answer.s3Error(status, "ServerBusy", Map.of("x-ms-error-code", "ServerBusy"));
  }

  @Override
  protected boolean isSegment(ProxyRequest request) {
    return request.method().equals("PUT") && request.target().contains(".zst");
  }
}
