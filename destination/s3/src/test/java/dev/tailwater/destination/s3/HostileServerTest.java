package dev.tailwater.destination.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.testkit.HostileServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests with servers that never end an answer: each call must end within its bounds. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class HostileServerTest {
  private static final String CHUNKED = "Transfer-Encoding: chunked";
  private static final TimeLimits SHORT =
      new TimeLimits(Duration.ofSeconds(2), Duration.ofSeconds(1), 8L << 20, 1 << 20);

  /** More than any bound, including all buffers between the server and the caller. */
  private static final long MOST_TAKEN_BYTES = 64L << 20;

  @BeforeEach
  void giveCredentials() {
    System.setProperty("aws.accessKeyId", S3Server.ACCESS_KEY);
    System.setProperty("aws.secretAccessKey", S3Server.SECRET_KEY);
  }

  private static Destination open(HostileServer server, TimeLimits limits) throws IOException {
    S3Place place =
        S3Place.parse(URI.create(S3Server.uri(server.uri(), "bucket/archive", Map.of())));
    return S3Provider.open(place, OpenIntent.WRITE, limits, InstantSource.system());
  }

  private static String page(String contents, String token) {
    return "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>"
        + token
        + "</NextContinuationToken>"
        + contents
        + "</ListBucketResult>";
  }

  private static String object(String key) {
    return "<Contents><Key>" + key + "</Key><Size>1</Size></Contents>";
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
  void anAnswerToAListThatNeverEndsIsRefused() throws IOException {
    for (String endless : new String[] {"x", "<a>", object("archive/a"), " "}) {
      try (HostileServer server =
              new HostileServer(
                  (target, out) -> {
                    out.head(200, CHUNKED).text("12\r\n<ListBucketResult>\r\n");
                    out.endless(endless);
                  });
          Destination place = open(server, TimeLimits.STANDARD)) {
        listFails(place);
        assertTrue(server.sentBytes() < MOST_TAKEN_BYTES, server.sentBytes() + " of " + endless);
      }
    }
  }

  @Test
  void anErrorThatIsExplainedForEverIsAnError() throws IOException {
    for (int status : new int[] {403, 500}) {
      try (HostileServer server =
              new HostileServer(
                  (target, out) -> {
                    out.head(status, CHUNKED).text("7\r\n<Error>\r\n");
                    out.endless("x");
                  });
          Destination place = open(server, TimeLimits.STANDARD)) {
        assertThrows(
            DestinationException.class, () -> place.putSegment("a", ByteBuffer.wrap(new byte[1])));
        assertThrows(DestinationException.class, () -> place.read("a", 0, 10));
        assertThrows(DestinationException.class, () -> place.delete("a"));
        listFails(place);
        assertTrue(server.sentBytes() < 8 * MOST_TAKEN_BYTES, server.sentBytes() + " bytes");
      }
    }
  }

  @Test
  void aListThatRepeatsItselfIsRefused() throws IOException {
    String foreign = object("archive/.tailwater-tmp/x") + object("archive/.tailwater-tmp/y");
    try (HostileServer server = new HostileServer((target, out) -> out.all(page(foreign, "t")));
        Destination place = open(server, TimeLimits.STANDARD)) {
      DestinationException e = listFails(place);
      assertTrue(e.getMessage().contains("does not ascend"), e.getMessage());
      assertTrue(e.permanent());
    }
    try (HostileServer server =
            new HostileServer(
                (target, out) -> out.all(page(object("archive/b") + object("archive/a"), "t")));
        Destination place = open(server, TimeLimits.STANDARD)) {
      assertTrue(listFails(place) instanceof PermanentDestinationException);
    }
    try (HostileServer server =
            new HostileServer((target, out) -> out.all(page(object("archive/a"), "t")));
        Destination place = open(server, TimeLimits.STANDARD)) {
      assertTrue(place.list("", Optional.empty(), 10).more());
      assertThrows(PermanentDestinationException.class, () -> place.list("", Optional.of("a"), 10));
    }
  }

  @Test
  void aListOfEmptyPagesComesToAnEnd() throws IOException {
    AtomicInteger pages = new AtomicInteger();
    try (HostileServer server =
            new HostileServer(
                (target, out) -> out.all(page("", "token" + pages.incrementAndGet())));
        Destination place = open(server, TimeLimits.STANDARD)) {
      assertTrue(listFails(place).permanent());
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
  void anAnswerThatComesByteAfterByteIsGivenUp() throws IOException {
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
}
