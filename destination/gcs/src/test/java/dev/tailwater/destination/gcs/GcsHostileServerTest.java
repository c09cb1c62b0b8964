package dev.tailwater.destination.gcs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.testkit.HostileServer;
import dev.tailwater.destination.testkit.StoreRequests;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests with servers that never end an answer: each call must end within its bounds. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GcsHostileServerTest {
  private static final String CHUNKED = "Transfer-Encoding: chunked";
  private static final TimeLimits SHORT =
      new TimeLimits(Duration.ofSeconds(2), Duration.ofSeconds(1), 8L << 20, 1 << 20);

  /** More than any bound, including all buffers between the server and the caller. */
  private static final long MOST_TAKEN_BYTES = 64L << 20;

  private static Destination open(HostileServer server, TimeLimits limits) throws IOException {
    String uri = GcsServer.uri(server.uri(), "bucket/archive", Map.of());
    return GcsProvider.open(
        GcsPlace.parse(URI.create(uri)),
        OpenIntent.WRITE,
        limits,
        GcsCredentials.none(),
        GcsServer.context());
  }

  private static String page(String items, String token) {
    return "{\"nextPageToken\":\"" + token + "\",\"items\":[" + items + "]}";
  }

  private static String object(String name) {
    return "{\"name\":\"" + name + "\",\"size\":\"1\"}";
  }

  private static DestinationException listFails(Destination place) {
    return assertThrows(DestinationException.class, () -> place.list("", Optional.empty(), 1000));
  }

  @Test
  void aRangeThatNeverEndsIsLeftWhereItShouldEnd() throws IOException {
    try (HostileServer server =
            new HostileServer(
                (target, out) -> {
                  out.head(206, CHUNKED, "Content-Range: bytes 0-9/10");
                  out.endless("0123456789");
                });
        Destination place = open(server, TimeLimits.STANDARD)) {
      try (InputStream stream = place.read("a", 0, 10)) {
        TransientDestinationException e =
            assertThrows(TransientDestinationException.class, stream::readAllBytes);
        assertTrue(e.getMessage().contains("longer than the 10 bytes"), e.getMessage());
      }
      assertTrue(server.sentBytes() < MOST_TAKEN_BYTES, server.sentBytes() + " bytes were sent");
    }
  }

  @Test
  void aRangeThatEndsEarlyIsNotTakenForTheRestOfTheObject() throws IOException {
    try (HostileServer server =
            new HostileServer(
                (target, out) ->
                    out.head(206, "Content-Length: 5", "Content-Range: bytes 0-4/10")
                        .text("01234"));
        Destination place = open(server, TimeLimits.STANDARD)) {
      for (long lengthBytes : new long[] {10, Long.MAX_VALUE}) {
        DestinationException e =
            assertThrows(DestinationException.class, () -> place.read("a", 0, lengthBytes).close());
        assertTrue(e.getMessage().contains("answers with bytes 0-4/10"), e.getMessage());
      }
    }
  }

  @Test
  void anObjectThatNeverEndsIsLeftWhenItsReaderHasEnough() throws IOException {
    try (HostileServer server =
            new HostileServer(
                (target, out) -> {
                  out.head(200, CHUNKED);
                  out.endless("0123456789");
                });
        Destination place = open(server, TimeLimits.STANDARD)) {
      try (InputStream stream = place.read("a", 0, Long.MAX_VALUE)) {
        assertEquals(100_000, stream.readNBytes(100_000).length);
      }
      assertTrue(server.sentBytes() < MOST_TAKEN_BYTES, server.sentBytes() + " bytes were sent");
    }
  }

  @Test
  void anAnswerThatNeverEndsIsRefused() throws IOException {
    for (int status : new int[] {200, 403, 500}) {
      try (HostileServer server =
              new HostileServer(
                  (target, out) -> {
                    out.head(status, CHUNKED).text("a\r\n{\"items\":[\r\n");
                    out.endless(object("archive/a") + ",");
                  });
          Destination place = open(server, TimeLimits.STANDARD)) {
        listFails(place);
        assertThrows(
            DestinationException.class, () -> place.putObject("a", new byte[1]), "" + status);
        assertTrue(server.sentBytes() < 2 * MOST_TAKEN_BYTES, server.sentBytes() + " bytes");
      }
    }
  }

  @Test
  void aListThatRepeatsItselfOrNeverEndsIsRefused() throws IOException {
    String foreign = object("archive/.tailwater-tmp/x") + "," + object("archive/.tailwater-tmp/y");
    try (HostileServer server = new HostileServer((target, out) -> out.all(page(foreign, "t")));
        Destination place = open(server, TimeLimits.STANDARD)) {
      DestinationException e = listFails(place);
      assertTrue(e.getMessage().contains("does not ascend"), e.getMessage());
      assertTrue(e.permanent());
    }
    try (HostileServer server =
            new HostileServer((target, out) -> out.all(page(object("archive/a"), "t")));
        Destination place = open(server, TimeLimits.STANDARD)) {
      assertTrue(place.list("", Optional.empty(), 10).more());
      assertThrows(
          DestinationException.class, () -> place.list("", Optional.of("b"), 10), "ignores after");
    }
    AtomicInteger pages = new AtomicInteger();
    try (HostileServer server =
            new HostileServer((target, out) -> out.all(page("", "t" + pages.incrementAndGet())));
        Destination place = open(server, TimeLimits.STANDARD)) {
      DestinationException e = listFails(place);
      assertTrue(e.permanent());
      assertTrue(e.getMessage().contains("sent 101 empty pages in a row"), e.getMessage());
    }
    assertTrue(pages.get() > 2, "a few may be empty");
  }

  @Test
  void anObjectThatComesByteAfterByteIsGivenUp() throws IOException {
    try (HostileServer server =
            new HostileServer(
                (target, out) -> {
                  out.head(206, "Content-Length: 1000000", "Content-Range: bytes 0-999999/1000000");
                  out.drip("x");
                });
        Destination place = open(server, SHORT);
        InputStream stream = place.read("a", 0, 1_000_000)) {
      TransientDestinationException e =
          assertThrows(TransientDestinationException.class, stream::readAllBytes);
      assertTrue(e.getMessage().contains("of waiting"), e.getMessage());
    }
  }

  @Test
  void anAnswerThatStopsOrComesByteAfterByteIsGivenUp() throws IOException {
    for (String begin : new String[] {"", "HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n"}) {
      try (HostileServer server =
              new HostileServer((target, out) -> out.text(begin).drip("X-Header: x\r\n"));
          Destination place = open(server, SHORT)) {
        assertFalse(listFails(place).permanent());
      }
    }
    try (HostileServer server =
            new HostileServer(
                (target, out) -> {
                  out.head(200, CHUNKED).text("5\r\nhello\r\n");
                  out.silence();
                });
        Destination place = open(server, SHORT);
        InputStream stream = place.read("a", 0, Long.MAX_VALUE)) {
      assertEquals('h', stream.read());
      TransientDestinationException e =
          assertThrows(TransientDestinationException.class, stream::readAllBytes);
      assertTrue(e.getMessage().contains("nothing came"), e.getMessage());
    }
  }

  @Test
  void aRefusalWithoutBodyIsStillOne() throws IOException {
    try (HostileServer server =
            new HostileServer((target, out) -> out.head(403, "Content-Length: 0"));
        Destination place = open(server, TimeLimits.STANDARD)) {
      DestinationException e =
          assertThrows(
              DestinationException.class,
              () -> place.putSegment("a", ByteBuffer.wrap(new byte[9])));
      assertTrue(e.permanent());
      assertTrue(e.getMessage().contains("HTTP 403"), e.getMessage());
    }
  }

  private static final StoreRequests REQUESTS = new StoreRequests(GcsStore.PART_BYTES);
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
  void aPutWhoseChecksumComesBackAsAnotherIsNotTaken() throws IOException {
    String object = "{\"crc32c\":\"AAAAAA==\",\"generation\":\"1\"}";
    try (HostileServer server =
            new HostileServer(StoreRequests.successWith(object, "Content-Type: application/json"));
        Destination place = open(server, TimeLimits.STANDARD)) {
      StoreRequests.assertNotTaken("put", REQUESTS.to(place, "put"));
      StoreRequests.assertNotTaken("replace", REQUESTS.to(place, "replace"));
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
