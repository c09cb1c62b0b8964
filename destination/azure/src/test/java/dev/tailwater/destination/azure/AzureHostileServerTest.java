package dev.tailwater.destination.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.testkit.HostileServer;
import dev.tailwater.destination.testkit.HostileServers;
import dev.tailwater.destination.testkit.StoreRequests;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class AzureHostileServerTest extends HostileServers {
  private static final StoreRequests REQUESTS = new StoreRequests(AzureStore.PART_BYTES);

  AzureHostileServerTest() {
    super(REQUESTS);
  }

  @Override
  protected Destination open(HostileServer server, TimeLimits limits) throws IOException {
    String uri = AzureServer.uri(server.uri(), "container/archive", Map.of());
    return AzureServer.open(URI.create(uri), limits);
  }

  @Test
  void anAnswerThatIsNoWholeListIsNotTaken() throws IOException {
    String blobs =
        "<Blobs><Blob><Name>archive/a</Name>"
            + "<Properties><Content-Length>1</Content-Length></Properties></Blob></Blobs>";
    for (String body :
        new String[] {
          "<EnumerationResults>" + blobs + "</EnumerationResults>",
          "<EnumerationResults><NextMarker/></EnumerationResults>",
          "<EnumerationResults/>",
          "<html><EnumerationResults>" + blobs + "<NextMarker/></EnumerationResults></html>",
        }) {
      try (HostileServer server =
              new HostileServer(StoreRequests.successWith(body, "Content-Type: application/xml"));
          Destination place = open(server, TimeLimits.STANDARD)) {
        StoreRequests.assertNotTaken(body, REQUESTS.to(place, "list"));
      }
    }
    String whole = "<EnumerationResults>" + blobs + "<NextMarker /></EnumerationResults>";
    try (HostileServer server =
            new HostileServer(StoreRequests.successWith(whole, "Content-Type: application/xml"));
        Destination place = open(server, TimeLimits.STANDARD)) {
      assertEquals(1, place.list("", Optional.empty(), 1000).entries().size());
    }
  }

  private static String blob(String name) {
    return "<Blob><Name>archive/%s</Name>".formatted(name)
        + "<Properties><Content-Length>1</Content-Length></Properties></Blob>";
  }

  @Test
  void aListThatBeginsAfterAnObjectHasWhatWasCreatedSinceAnEarlierList() throws IOException {
    String page =
        "<EnumerationResults><Blobs>%s</Blobs><NextMarker>%s</NextMarker></EnumerationResults>";
    try (HostileServer server =
            new HostileServer(
                (target, out) ->
                    out.all(
                        target.contains("marker=c")
                            ? page.formatted(blob("c"), "")
                            : target.contains("startFrom")
                                ? page.formatted(blob("b") + blob("bb") + blob("c"), "")
                                : page.formatted(blob("a") + blob("b"), "c")));
        Destination place = open(server, TimeLimits.STANDARD)) {
      assertTrue(place.list("", Optional.empty(), 2).more());
      // Since then, bb has been created.
      assertEquals(
          List.of("bb", "c"),
          place.list("", Optional.of("b"), 10).entries().stream().map(Entry::key).toList());
    }
  }

  @Test
  void aMarkerOfAServerThatIgnoresStartsIsUsedOnce() throws IOException {
    String page =
        "<EnumerationResults><Blobs>%s</Blobs><NextMarker>%s</NextMarker></EnumerationResults>";
    AtomicBoolean created = new AtomicBoolean();
    try (HostileServer server =
            new HostileServer(
                (target, out) ->
                    out.all(
                        target.contains("marker=c")
                            ? page.formatted(blob("c"), "")
                            : created.get()
                                ? page.formatted(blob("a") + blob("b") + blob("bb") + blob("c"), "")
                                : page.formatted(blob("a") + blob("b"), "c")));
        Destination place = open(server, TimeLimits.STANDARD)) {
      assertTrue(place.list("", Optional.empty(), 2).more());
      assertEquals("c", place.list("", Optional.of("b"), 10).entries().getFirst().key());
      created.set(true);
      assertEquals("bb", place.list("", Optional.of("b"), 10).entries().getFirst().key());
    }
  }

  @Test
  void whatTheServiceSaysIsTaken() throws IOException {
    try (HostileServer server =
            new HostileServer((target, out) -> out.head(201, "Content-Length: 0"));
        Destination place = open(server, TimeLimits.STANDARD)) {
      assertEquals(PutResult.CREATED, place.putSegment("a", ByteBuffer.wrap(new byte[1])));
    }
  }

  @Test
  void aPageInReplyToTheCheckOfAnExistingNameIsNoObject() throws IOException {
    for (int status : new int[] {200, 404}) {
      AtomicBoolean page = new AtomicBoolean();
      try (HostileServer server =
              new HostileServer(
                  (target, out) ->
                      out.head(
                          page.getAndSet(true) ? status : 409,
                          "Content-Length: 0",
                          "x-ms-error-code: BlobAlreadyExists"));
          Destination place = open(server, TimeLimits.STANDARD)) {
        StoreRequests.assertNotTaken("put", REQUESTS.to(place, "put"));
      }
    }
  }
}
