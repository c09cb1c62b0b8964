package dev.tailwater.destination.testkit;

import static dev.tailwater.destination.testkit.TestObjects.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.cloud.TimeLimits;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests with faults of networks and servers, between a destination in an object store and a real
 * server of it. A subclass says how to open the destination, and adds what only its store has.
 */
public abstract class CloudFaults {
  protected static final int MEBIBYTE = 1 << 20;

  /** For stalling servers only: other calls on a busy machine sometimes exceed these limits. */
  protected static final TimeLimits SHORT =
      new TimeLimits(Duration.ofSeconds(2), Duration.ofSeconds(1), 8L << 20, 1 << 20);

  private final FaultyHttpProxy proxy;
  private Optional<Destination> opened = Optional.empty();

  /**
   * @param server where the real one answers
   */
  protected CloudFaults(URI server) throws IOException {
    this.proxy = FaultyHttpProxy.before(server);
  }

  /** Opens an empty place, the same for all calls of one test. */
  protected abstract Destination open(URI endpoint, TimeLimits limits) throws IOException;

  /** Returns a refusal as the store writes it. */
  protected abstract ProxyFault.Answer refusal(int status, String code);

  /** Returns whether the request is that of a put. */
  protected abstract boolean isSegment(ProxyRequest request);

  @BeforeEach
  final void openThroughTheProxy() throws IOException {
    opened = Optional.of(open(proxy.uri(), TimeLimits.STANDARD));
  }

  @AfterEach
  final void close() throws IOException {
    place().close();
    proxy.close();
  }

  protected final FaultyHttpProxy proxy() {
    return proxy;
  }

  protected final Destination place() {
    return opened.orElseThrow();
  }

  protected final PutResult put(String key, int length) throws DestinationException {
    return place().putSegment(key, ByteBuffer.wrap(bytes(length)));
  }

  protected final DestinationException fails(String key, int length) {
    return fails(place(), key, length);
  }

  protected static DestinationException fails(Destination at, String key, int length) {
    return assertThrows(
        DestinationException.class, () -> at.putSegment(key, ByteBuffer.wrap(bytes(length))));
  }

  protected final void requireObject(String key, int length) throws IOException {
    assertEquals(List.of(key), keys());
    requireContent(key, length);
  }

  protected final void requireContent(String key, int length) throws IOException {
    try (InputStream stream = place().read(key, 0, Long.MAX_VALUE)) {
      assertArrayEquals(bytes(length), stream.readAllBytes());
    }
  }

  protected final List<String> keys() throws DestinationException {
    return place().list("", Optional.empty(), 10).entries().stream().map(Entry::key).toList();
  }

  /** Injects the fault into the first requests that match, and forwards the rest. */
  protected final void first(int count, Predicate<ProxyRequest> meant, ProxyFault fault) {
    AtomicInteger left = new AtomicInteger(count);
    proxy.plan(
        request ->
            meant.test(request) && left.getAndDecrement() > 0 ? fault : new ProxyFault.Forward());
  }

  /**
   * Returns an answer with status 200.
   *
   * @param headers each with the end of its line
   */
  protected static ProxyFault ok(String headers, String body) {
    return new ProxyFault.Answer(
        "HTTP/1.1 200 OK\r\nConnection: close\r\n"
            + headers
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  @Test
  void waitsForAServerThatRefusesConnections() throws IOException {
    assertEquals(PutResult.CREATED, put("a", 1));
    place().delete("a");
    proxy.refuse();
    DestinationException e = fails("b", 1000);
    assertFalse(e.permanent(), e.getMessage());
    assertTrue(e.hint().contains("Nothing answers there"), e.getMessage() + e.hint());
    proxy.listenAgain();
    assertEquals(PutResult.CREATED, put("b", 1000));
    requireObject("b", 1000);
  }

  @Test
  void showsNothingOfAPutThatWasResetInTheMiddle() throws IOException {
    first(2, this::isSegment, new ProxyFault.ResetInBody(MEBIBYTE));
    DestinationException e = fails("reset", 4 * MEBIBYTE);
    assertFalse(e.permanent(), e.getMessage());
    assertFalse(keys().contains("reset"), "a part of it is shown");
    // The emulator of S3 lists its temporary file until it has noticed the reset and removed it.
    assertTimeoutPreemptively(Duration.ofSeconds(20), this::awaitNothingThere);
    assertEquals(PutResult.CREATED, put("reset", 4 * MEBIBYTE));
    requireObject("reset", 4 * MEBIBYTE);
  }

  private void awaitNothingThere() throws DestinationException, InterruptedException {
    while (!keys().isEmpty()) {
      Thread.sleep(20);
    }
  }

  @Test
  void makesNoSecondObjectWhenTheAnswerToAPutIsLost() throws IOException {
    first(1, this::isSegment, new ProxyFault.LoseAnswer());
    assertEquals(PutResult.ALREADY_EXISTS, put("lost", 3 * MEBIBYTE));
    requireObject("lost", 3 * MEBIBYTE);
  }

  @Test
  void saysItDoesNotKnowWhenTheAnswerIsLostAgainAndThenFindsTheObject() throws IOException {
    first(2, this::isSegment, new ProxyFault.LoseAnswer());
    assertFalse(fails("lost", 5000).permanent());
    assertEquals(PutResult.ALREADY_EXISTS, put("lost", 5000));
    requireObject("lost", 5000);
  }

  @Test
  void givesUpAServerThatStalls() throws IOException {
    try (Destination impatient = open(proxy.uri(), SHORT)) {
      first(1, this::isSegment, new ProxyFault.Stall());
      DestinationException small = fails(impatient, "stalled", 1000);
      assertFalse(small.permanent(), small.getMessage());
      assertTrue(small.hint().contains("stalls"), small.getMessage() + small.hint());
      // A server that does not read a long body: no socket timeout covers this case.
      first(1, this::isSegment, new ProxyFault.Stall());
      DestinationException large = fails(impatient, "stalled", 32 * MEBIBYTE);
      assertTrue(large.hint().contains("stalls"), large.getMessage() + large.hint());
    }
    assertEquals(PutResult.CREATED, put("stalled", 1000));
    requireObject("stalled", 1000);
  }

  @Test
  void slowsDownInAStormAndGoesOnAfterIt() throws IOException {
    for (int status : new int[] {503, 500}) {
      first(5, this::isSegment, refusal(status, status == 503 ? "SlowDown" : "InternalError"));
      int failures = 0;
      Optional<PutResult> result = Optional.empty();
      while (result.isEmpty()) {
        try {
          result = Optional.of(put("storm", 2000));
        } catch (TransientDestinationException e) {
          failures++;
        }
      }
      assertEquals(5, failures, "each is reported, none is repeated unseen");
      assertEquals(PutResult.CREATED, result.orElseThrow());
      requireObject("storm", 2000);
      place().delete("storm");
    }
  }

  @Test
  void aByteThatChangesOnTheWayIsRefused() throws IOException {
    first(1, this::isSegment, new ProxyFault.Corrupt(700_000));
    DestinationException e = fails("damaged", MEBIBYTE);
    assertFalse(e.permanent(), e.getMessage() + e.hint());
    assertEquals(List.of(), keys());
    assertEquals(PutResult.CREATED, put("damaged", MEBIBYTE));
    requireObject("damaged", MEBIBYTE);
  }

  @Test
  void aByteThatChangesInAPartIsNotKept() throws IOException {
    byte[] content = bytes(12 * MEBIBYTE);
    first(1, request -> request.bodyBytes() > 4 * MEBIBYTE, new ProxyFault.Corrupt(700_000));
    assertThrows(
        DestinationException.class,
        () -> {
          try (SegmentUpload upload = place().beginSegment("agent/long")) {
            upload.write(ByteBuffer.wrap(content));
            upload.commit();
          }
        });
    assertEquals(List.of(), keys());
    try (SegmentUpload upload = place().beginSegment("agent/long")) {
      upload.write(ByteBuffer.wrap(content));
      assertEquals(PutResult.CREATED, upload.commit());
    }
    requireObject("agent/long", 12 * MEBIBYTE);
  }

  @Test
  void aStreamFailsRatherThanEndEarly() throws IOException {
    assertEquals(PutResult.CREATED, put("read", 2 * MEBIBYTE));
    first(1, request -> request.method().equals("GET"), new ProxyFault.CutAnswer(MEBIBYTE));
    try (InputStream stream = place().read("read", 0, Long.MAX_VALUE)) {
      TransientDestinationException e =
          assertThrows(TransientDestinationException.class, stream::readAllBytes);
      assertEquals("read", e.key());
    }
    requireObject("read", 2 * MEBIBYTE);
  }

  @Test
  void theWholeObjectIsNotTakenForARangeOfIt() throws IOException {
    proxy.plan(request -> ok("", "0123456789"));
    for (long[] range : new long[][] {{3, 4}, {3, Long.MAX_VALUE}, {0, 9}}) {
      PermanentDestinationException e =
          assertThrows(
              PermanentDestinationException.class, () -> place().read("a", range[0], range[1]));
      assertTrue(e.getMessage().contains("the whole object"), e.getMessage());
    }
    for (long length : new long[] {10, 11, Long.MAX_VALUE}) {
      try (InputStream stream = place().read("a", 0, length)) {
        assertEquals("0123456789", new String(stream.readAllBytes(), StandardCharsets.US_ASCII));
      }
    }
    assertEquals(-1, place().read("a", 5, 0).read());
  }

  @Test
  void anotherRangeIsNotTakenForTheOneAskedFor() {
    proxy.plan(request -> ok("Content-Range: bytes 2-5/10\r\n", "2345"));
    PermanentDestinationException e =
        assertThrows(PermanentDestinationException.class, () -> place().read("a", 3, 4));
    assertTrue(e.getMessage().contains("bytes 2-5/10"), e.getMessage());
  }

  @Test
  void aKeptConnectionThatTheServerClosedIsNotReported() throws IOException {
    assertEquals(PutResult.CREATED, put("kept", 10));
    place().delete("kept");
    proxy.refuse();
    proxy.listenAgain();
    assertEquals(PutResult.CREATED, put("kept", 20));
    requireObject("kept", 20);
  }
}
