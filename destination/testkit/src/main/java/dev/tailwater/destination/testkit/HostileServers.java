package dev.tailwater.destination.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.cloud.TimeLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests with servers that never end an answer, or whose answers are not the store's: each call must
 * end within its bounds, and take nothing for an answer that is none. A subclass says how to open
 * the destination, and adds what only its store has.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
public abstract class HostileServers {
  protected static final String CHUNKED = "Transfer-Encoding: chunked";

  protected static final TimeLimits SHORT =
      new TimeLimits(Duration.ofSeconds(2), Duration.ofSeconds(1), 8L << 20, 1 << 20);

  /** More than any bound, including all buffers between the server and the caller. */
  protected static final long MOST_TAKEN_BYTES = 64L << 20;

  protected static final String PAGE = "<html><body>Welcome to the hotel</body></html>";

  private final StoreRequests requests;

  /**
   * @param requests what is asked of the store
   */
  protected HostileServers(StoreRequests requests) {
    this.requests = requests;
  }

  /** Opens a place at the server. */
  protected abstract Destination open(HostileServer server, TimeLimits limits) throws IOException;

  protected static DestinationException listFails(Destination place) {
    return assertThrows(DestinationException.class, () -> place.list("", Optional.empty(), 1000));
  }

  @Test
  final void aRangeThatNeverEndsIsLeftWhereItShouldEnd() throws IOException {
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
  final void aRangeThatEndsEarlyIsNotTakenForTheRestOfTheObject() throws IOException {
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
  final void anObjectThatNeverEndsIsLeftWhenItsReaderHasEnough() throws IOException {
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
  final void anAnswerThatNeverEndsIsRefused() throws IOException {
    for (int status : new int[] {200, 403, 500}) {
      try (HostileServer server =
              new HostileServer(
                  (target, out) -> {
                    out.head(status, CHUNKED);
                    out.endless("x");
                  });
          Destination place = open(server, TimeLimits.STANDARD)) {
        listFails(place);
        assertThrows(
            DestinationException.class, () -> place.putObject("a", new byte[1]), "" + status);
        assertTrue(server.sentBytes() < 8 * MOST_TAKEN_BYTES, server.sentBytes() + " bytes");
      }
    }
  }

  @Test
  final void anObjectThatComesByteAfterByteIsGivenUp() throws IOException {
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
  final void anAnswerThatComesByteAfterByteIsGivenUp() throws IOException {
    for (String begin : new String[] {"", "HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n"}) {
      try (HostileServer server =
              new HostileServer((target, out) -> out.text(begin).drip("X-Header: x\r\n"));
          Destination place = open(server, SHORT)) {
        assertFalse(listFails(place).permanent());
        assertThrows(
            TransientDestinationException.class,
            () -> {
              try (InputStream stream = place.read("a", 0, 999_999)) {
                stream.readAllBytes();
              }
            });
      }
    }
  }

  @Test
  final void anObjectThatStopsIsGivenUp() throws IOException {
    try (HostileServer server =
            new HostileServer(
                (target, out) -> {
                  out.head(200, CHUNKED).text("5\r\nhello\r\n");
                  out.silence();
                });
        Destination place = open(server, SHORT);
        InputStream stream = place.read("a", 0, Long.MAX_VALUE)) {
      assertEquals('h', stream.read());
      assertThrows(TransientDestinationException.class, stream::readAllBytes);
    }
  }

  @Test
  final void aRefusalWithoutBodyIsStillOne() throws IOException {
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

  @Test
  final void aPageOfAProxyIsNoAnswerToAnyRequest() throws IOException {
    try (HostileServer server =
            new HostileServer(
                StoreRequests.successWith(PAGE + " ".repeat(10_000), "Content-Type: text/html"));
        Destination place = open(server, TimeLimits.STANDARD)) {
      requests.to(place).forEach(StoreRequests::assertNotTaken);
      String message =
          assertThrows(DestinationException.class, requests.to(place, "list")).getMessage();
      assertTrue(message.contains("Welcome to the hotel"), message);
    }
  }

  @Test
  final void aNotFoundOfAProxySaysNothingAboutAnObject() throws IOException {
    String page = "<html><body>Not here</body></html>";
    try (HostileServer server =
            new HostileServer(
                (target, out) ->
                    out.head(404, "Content-Type: text/html", "Content-Length: " + page.length())
                        .text(page));
        Destination place = open(server, TimeLimits.STANDARD)) {
      for (String request : new String[] {"get", "get whole", "delete", "list"}) {
        TransientDestinationException e =
            StoreRequests.assertNotTaken(request, requests.to(place, request));
        assertTrue(e.reason().contains("is not the store's: HTTP 404"), e.reason());
        assertTrue(e.hint().contains("proxy"), e.hint());
      }
    }
  }

  @Test
  final void anAnswerOfAnotherKindIsNotTaken() throws IOException {
    for (String body : new String[] {"{\"status\":\"ok\"}", "[]", "", PAGE}) {
      try (HostileServer server =
              new HostileServer(StoreRequests.successWith(body, "Content-Type: text/plain"));
          Destination place = open(server, TimeLimits.STANDARD)) {
        for (String request : new String[] {"list", "put", "replace", "parts"}) {
          StoreRequests.assertNotTaken(request + " " + body, requests.to(place, request));
        }
      }
    }
  }

  @Test
  final void aServerThatTakesNoneOfABodyIsGivenUpLongBeforeItsLowestRateWouldSay()
      throws IOException {
    TimeLimits limits = new TimeLimits(Duration.ofSeconds(1), Duration.ofSeconds(2), 64 << 10, 1);
    byte[] content = new byte[32 << 20]; // More than all buffers; at 64 KiB/s it takes 512 s.
    try (HostileServer server =
            new HostileServer(
                (target, out) -> {
                  if (target.contains("create-only")) { // S3 is asked first whether it knows these.
                    out.head(412, "Content-Length: 0");
                  } else {
                    out.silence();
                  }
                });
        Destination place = open(server, limits)) {
      TransientDestinationException e =
          assertThrows(
              TransientDestinationException.class,
              () -> place.putSegment("a", ByteBuffer.wrap(content)));
      assertTrue(e.getMessage().contains("took nothing of what was sent"), e.getMessage());
      assertTrue(e.hint().contains("stalls"), e.hint());
    }
  }
}
