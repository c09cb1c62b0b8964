package dev.tailwater.destination.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.testkit.HostileServer;
import dev.tailwater.destination.testkit.StoreRequests;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests with servers whose answers are not those of the service. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AzureHostileServerTest {
  private static Destination open(HostileServer server, TimeLimits limits) throws IOException {
    String uri = AzureServer.uri(server.uri(), "container/archive", Map.of());
    return AzureServer.open(URI.create(uri), limits);
  }

  private static final StoreRequests REQUESTS = new StoreRequests(AzureStore.PART_BYTES);
  private static final String PAGE = "<html><body>Welcome to the hotel</body></html>";

  @Test
  void aPageOfAProxyIsNoAnswerToAnyRequest() throws IOException {
    try (HostileServer server =
            new HostileServer(
                StoreRequests.successWith(PAGE + " ".repeat(10_000), "Content-Type: text/html"));
        Destination place = open(server, TimeLimits.STANDARD)) {
      REQUESTS.to(place).forEach(StoreRequests::assertNotTaken);
      String message =
          assertThrows(DestinationException.class, REQUESTS.to(place, "list")).getMessage();
      assertTrue(message.contains("Welcome to the hotel"), message);
    }
  }

  @Test
  void aNotFoundOfAProxySaysNothingAboutAnObject() throws IOException {
    String page = "<html><body>Not here</body></html>";
    try (HostileServer server =
            new HostileServer(
                (target, out) ->
                    out.head(404, "Content-Type: text/html", "Content-Length: " + page.length())
                        .text(page));
        Destination place = open(server, TimeLimits.STANDARD)) {
      for (String request : new String[] {"get", "get whole", "delete", "list"}) {
        TransientDestinationException e =
            StoreRequests.assertNotTaken(request, REQUESTS.to(place, request));
        assertTrue(e.reason().contains("is not the store's: HTTP 404"), e.reason());
        assertTrue(e.hint().contains("proxy"), e.hint());
      }
    }
  }

  @Test
  void anAnswerOfAnotherKindIsNotTaken() throws IOException {
    for (String body : new String[] {"{\"status\":\"ok\"}", "[]", "", PAGE}) {
      try (HostileServer server =
              new HostileServer(StoreRequests.successWith(body, "Content-Type: text/plain"));
          Destination place = open(server, TimeLimits.STANDARD)) {
        for (String request : new String[] {"list", "put", "replace", "parts"}) {
          StoreRequests.assertNotTaken(request + " " + body, REQUESTS.to(place, request));
        }
      }
    }
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

  @Test
  void aServerThatTakesNoneOfABodyIsGivenUpLongBeforeItsLowestRateWouldSay() throws IOException {
    TimeLimits limits = new TimeLimits(Duration.ofSeconds(1), Duration.ofSeconds(2), 64 << 10, 1);
    byte[] content = new byte[32 << 20]; // More than all buffers; at 64 KiB/s it takes 512 s.
    try (HostileServer server = new HostileServer((target, out) -> out.silence());
        Destination place = open(server, limits)) {
      TransientDestinationException e =
          assertThrows(
              TransientDestinationException.class,
              () -> place.putSegment("a", ByteBuffer.wrap(content)));
      assertTrue(e.getMessage().contains("nothing of what was sent"), e.getMessage());
      assertTrue(e.hint().contains("stalls"), e.hint());
    }
  }
}
