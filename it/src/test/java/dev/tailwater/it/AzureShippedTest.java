package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.azure.AzureServer;
import dev.tailwater.destination.azure.Azurite;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
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

  @Test
  void anAgentWithoutItsStateShipsOnBesideObjectsInTheArchiveTier() throws Exception {
    String container = server.newContainer();
    String place = AzureServer.uri(server.endpoint(), container + "/archive", Map.of());
    try (Site site = siteOf(place)) {
      Files.writeString(site.log("short"), "before\n");
      Files.write(site.log("long"), new byte[3_000_000]);
      assertEquals(0, site.shipOnce().exitCode());
      server.archiveAll(container, "archive");
      Files.move(site.base().resolve("state"), site.base().resolve("state.lost"));
      Files.writeString(site.log("new"), "after\n");
      Packaged.Run again = site.shipOnce();
      assertEquals(0, again.exitCode(), again.err());
      assertTrue(again.err().contains("cold storage"), again.err());
      Packaged.Run restore = site.restore();
      assertEquals(3, restore.exitCode(), restore.err());
      assertTrue(restore.err().contains("rehydrate it first"), restore.err());
      for (String name : List.of("short", "long", "new")) {
        Path original = site.log(name);
        assertEquals(-1, Files.mismatch(original, site.restored(original)), name);
      }
    }
  }
}
