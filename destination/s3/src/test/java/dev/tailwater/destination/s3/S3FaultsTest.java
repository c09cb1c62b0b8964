package dev.tailwater.destination.s3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.testkit.FaultyHttpProxy;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** Tests with faults of networks and servers, between the destination and a real server. */
@ExtendWith(S3ProxyServer.class)
class S3FaultsTest {
  private static final int MEBIBYTE = 1 << 20;

  /** For stalling servers only: other calls on a busy machine sometimes exceed these limits. */
  private static final TimeLimits SHORT =
      new TimeLimits(Duration.ofSeconds(2), Duration.ofSeconds(1), 8L << 20, 1 << 20);

  private final S3Place parsed;
  private final FaultyHttpProxy proxy;
  private final Destination place;

  S3FaultsTest(S3Server server) throws IOException {
    proxy = FaultyHttpProxy.before(server.endpoint());
    String uri = S3Server.uri(proxy.uri(), server.newBucket() + "/archive", Map.of());
    parsed = S3Place.parse(URI.create(uri));
    place = open(TimeLimits.STANDARD);
  }

  private Destination open(TimeLimits limits) throws DestinationException {
    return S3Provider.open(parsed, OpenIntent.WRITE, limits, InstantSource.system());
  }

  @AfterEach
  void close() throws IOException {
    place.close();
    proxy.close();
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private PutResult put(String key, int length) throws DestinationException {
    return place.putSegment(key, ByteBuffer.wrap(bytes(length)));
  }

  private DestinationException fails(String key, int length) {
    return fails(place, key, length);
  }

  private static DestinationException fails(Destination at, String key, int length) {
    return assertThrows(
        DestinationException.class, () -> at.putSegment(key, ByteBuffer.wrap(bytes(length))));
  }

  private void requireObject(String key, int length) throws IOException {
    assertEquals(
        List.of(key),
        place.list("", Optional.empty(), 10).entries().stream().map(Entry::key).toList());
    try (InputStream stream = place.read(key, 0, Long.MAX_VALUE)) {
      assertArrayEquals(bytes(length), stream.readAllBytes());
    }
  }

  private static boolean isSegment(ProxyRequest request) {
    return request.method().equals("PUT") && !request.target().contains("create-only");
  }

  /** Injects the fault into the first requests that match, and forwards the rest. */
  private void first(int count, Predicate<ProxyRequest> meant, ProxyFault fault) {
    AtomicInteger left = new AtomicInteger(count);
    proxy.plan(
        request ->
            meant.test(request) && left.getAndDecrement() > 0 ? fault : new ProxyFault.Forward());
  }

  private static ProxyFault.Answer answer(int status, String code) {
    return ProxyFault.Answer.s3Error(status, code, Map.of());
  }

  @Test
  void waitsForAServerThatRefusesConnections() throws IOException {
    assertEquals(PutResult.CREATED, put("a", 1));
    place.delete("a");
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
    first(2, S3FaultsTest::isSegment, new ProxyFault.ResetInBody(MEBIBYTE));
    DestinationException e = fails("reset", 4 * MEBIBYTE);
    assertFalse(e.permanent(), e.getMessage());
    assertEquals(List.of(), place.list("", Optional.empty(), 10).entries());
    assertEquals(PutResult.CREATED, put("reset", 4 * MEBIBYTE));
    requireObject("reset", 4 * MEBIBYTE);
  }

  @Test
  void makesNoSecondObjectWhenTheAnswerToAPutIsLost() throws IOException {
    first(1, S3FaultsTest::isSegment, new ProxyFault.LoseAnswer());
    assertEquals(PutResult.ALREADY_EXISTS, put("lost", 3 * MEBIBYTE));
    requireObject("lost", 3 * MEBIBYTE);
  }

  @Test
  void saysItDoesNotKnowWhenTheAnswerIsLostAgainAndThenFindsTheObject() throws IOException {
    first(2, S3FaultsTest::isSegment, new ProxyFault.LoseAnswer());
    assertFalse(fails("lost", 5000).permanent());
    assertEquals(PutResult.ALREADY_EXISTS, put("lost", 5000));
    requireObject("lost", 5000);
  }

  @Test
  void givesUpAServerThatStalls() throws IOException {
    try (Destination impatient = open(SHORT)) {
      first(1, S3FaultsTest::isSegment, new ProxyFault.Stall());
      DestinationException small = fails(impatient, "stalled", 1000);
      assertFalse(small.permanent(), small.getMessage());
      assertTrue(small.hint().contains("stalls"), small.getMessage() + small.hint());
      // A server that does not read a long body: no socket timeout covers this case.
      first(1, S3FaultsTest::isSegment, new ProxyFault.Stall());
      DestinationException large = fails(impatient, "stalled", 32 * MEBIBYTE);
      assertTrue(large.hint().contains("stalls"), large.getMessage() + large.hint());
    }
    assertEquals(PutResult.CREATED, put("stalled", 1000));
    requireObject("stalled", 1000);
  }

  @Test
  void slowsDownInAStormAndGoesOnAfterIt() throws IOException {
    for (ProxyFault fault : List.of(answer(503, "SlowDown"), answer(500, "InternalError"))) {
      first(5, S3FaultsTest::isSegment, fault);
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
      place.delete("storm");
    }
  }

  @Test
  void reportsARefusalLoudlyAndGoesOnWhenItHeals() throws IOException {
    Map<String, String> codes =
        Map.of(
            "AccessDenied", "s3:PutObject",
            "ExpiredToken", "temporary credentials",
            "RequestTimeTooSkewed", "clock",
            "InvalidAccessKeyId", "AWS_ACCESS_KEY_ID",
            "XAdminUserNotFound", "AWS_ACCESS_KEY_ID",
            "NoSuchBucket", "Create the bucket",
            "XMinioStorageFull", "full");
    codes.forEach(
        (code, hint) -> {
          int status =
              code.startsWith("No") || code.startsWith("XA")
                  ? 404
                  : code.startsWith("X") ? 507 : 403;
          first(1, S3FaultsTest::isSegment, answer(status, code));
          DestinationException e = fails("refused", 3000);
          assertTrue(e.permanent(), e.getMessage());
          assertTrue(e.getMessage().contains(code), e.getMessage());
          assertTrue(e.hint().contains(hint), e.hint());
          assertFalse((e.getMessage() + e.hint()).contains(S3Server.SECRET_KEY));
        });
    assertEquals(PutResult.CREATED, put("refused", 3000));
    requireObject("refused", 3000);
  }

  @Test
  void namesTheRegionThatTheBucketIsIn() {
    first(
        1,
        S3FaultsTest::isSegment,
        ProxyFault.Answer.s3Error(
            301, "PermanentRedirect", Map.of("x-amz-bucket-region", "eu-central-1")));
    DestinationException e = fails("elsewhere", 10);
    assertTrue(e.permanent(), e.getMessage());
    assertTrue(e.hint().contains("region=eu-central-1"), e.hint());
  }

  @Test
  void aBucketOrAUserThatIsNotFoundIsNoObjectThatIsNotThere() throws IOException {
    for (String code : List.of("NoSuchBucket", "XAdminUserNotFound")) {
      proxy.plan(request -> answer(404, code));
      for (Executable call :
          List.<Executable>of(() -> place.read("a", 0, 9).close(), () -> place.delete("a"))) {
        DestinationException e = assertThrows(DestinationException.class, call);
        assertTrue(e.permanent(), e.getMessage());
        assertFalse(e instanceof NoSuchObjectException, e.getMessage());
      }
    }
    proxy.plan(request -> answer(404, "NoSuchKey"));
    place.delete("a");
    assertThrows(NoSuchObjectException.class, () -> place.read("a", 0, 9));
  }

  @Test
  void aByteThatChangesOnTheWayIsRefused() throws IOException {
    first(1, S3FaultsTest::isSegment, new ProxyFault.Corrupt(700_000));
    DestinationException e = fails("damaged", MEBIBYTE);
    assertFalse(e.permanent(), e.getMessage());
    assertEquals(List.of(), place.list("", Optional.empty(), 10).entries());
    assertEquals(PutResult.CREATED, put("damaged", MEBIBYTE));
    requireObject("damaged", MEBIBYTE);
  }

  @Test
  void aStreamFailsRatherThanEndEarly() throws IOException {
    assertEquals(PutResult.CREATED, put("read", 2 * MEBIBYTE));
    first(1, request -> request.method().equals("GET"), new ProxyFault.CutAnswer(MEBIBYTE));
    try (InputStream stream = place.read("read", 0, Long.MAX_VALUE)) {
      TransientDestinationException e =
          assertThrows(TransientDestinationException.class, stream::readAllBytes);
      assertEquals("read", e.key());
    }
    requireObject("read", 2 * MEBIBYTE);
  }

  @Test
  void aListThatDoesNotSayHowToGoOnIsRefusedInsteadOfRepeated() {
    String body =
        "<ListBucketResult><IsTruncated>true</IsTruncated><KeyCount>0</KeyCount>"
            + "</ListBucketResult>";
    proxy.plan(request -> ok("", body));
    assertThrows(PermanentDestinationException.class, () -> place.list("", Optional.empty(), 10));
    assertEquals(1, proxy.requests().size());
  }

  /**
   * Returns an answer with status 200.
   *
   * @param headers each with the end of its line
   */
  private static ProxyFault ok(String headers, String body) {
    return new ProxyFault.Answer(
        "HTTP/1.1 200 OK\r\nConnection: close\r\n"
            + headers
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  @Test
  void aListWithoutASizeOrAKeyIsRefused() {
    for (String object : List.of("<Key>archive/a</Key>", "<Size>1</Size>")) {
      proxy.plan(
          request ->
              ok(
                  "",
                  "<ListBucketResult><IsTruncated>false</IsTruncated><Contents>"
                      + object
                      + "</Contents></ListBucketResult>"));
      PermanentDestinationException e =
          assertThrows(
              PermanentDestinationException.class, () -> place.list("", Optional.empty(), 10));
      assertTrue(e.getMessage().contains("without its"), e.getMessage());
    }
  }

  @Test
  void theWholeObjectIsNotTakenForARangeOfIt() throws IOException {
    proxy.plan(request -> ok("", "0123456789"));
    for (long[] range : new long[][] {{3, 4}, {3, Long.MAX_VALUE}, {0, 9}}) {
      PermanentDestinationException e =
          assertThrows(
              PermanentDestinationException.class, () -> place.read("a", range[0], range[1]));
      assertTrue(e.getMessage().contains("the whole object"), e.getMessage());
    }
    for (long length : new long[] {10, 11, Long.MAX_VALUE}) {
      try (InputStream stream = place.read("a", 0, length)) {
        assertEquals("0123456789", new String(stream.readAllBytes(), StandardCharsets.US_ASCII));
      }
    }
    assertEquals(-1, place.read("a", 5, 0).read());
  }

  @Test
  void anotherRangeIsNotTakenForTheOneAskedFor() {
    proxy.plan(request -> ok("Content-Range: bytes 2-5/10\r\n", "2345"));
    PermanentDestinationException e =
        assertThrows(PermanentDestinationException.class, () -> place.read("a", 3, 4));
    assertTrue(e.getMessage().contains("bytes 2-5/10"), e.getMessage());
  }

  @Test
  void aServerWhoseNameIsNotFoundIsTriedAgain() throws IOException {
    URI nowhere = URI.create("http://no-such-host.invalid:9000");
    try (Destination away = S3Server.open(nowhere, "bucket", Map.of())) {
      TransientDestinationException e =
          assertThrows(
              TransientDestinationException.class,
              () -> away.putSegment("a", ByteBuffer.wrap(new byte[1])));
      assertTrue(e.hint().contains("name of the server"), e.getMessage() + e.hint());
    }
  }

  @Test
  void aWrongSecretIsPermanentAndNotPrinted() throws IOException {
    String secret = System.setProperty("aws.secretAccessKey", "another-Se3ret");
    try (Destination other =
        Destinations.open(place.uri().toString(), OpenIntent.READ, S3Server.context())) {
      PermanentDestinationException e =
          assertThrows(
              PermanentDestinationException.class, () -> other.list("", Optional.empty(), 1));
      assertTrue(e.hint().contains("AWS_SECRET_ACCESS_KEY"), e.hint());
      assertFalse(e.getMessage().contains("Se3ret"), e.getMessage());
    } finally {
      System.setProperty("aws.secretAccessKey", secret);
    }
  }

  @Test
  void aKeptConnectionThatTheServerClosedIsNotReported() throws IOException {
    assertEquals(PutResult.CREATED, put("kept", 10));
    place.delete("kept");
    proxy.refuse();
    proxy.listenAgain();
    assertEquals(PutResult.CREATED, put("kept", 20));
    requireObject("kept", 20);
  }

  @Test
  void checksBeforeEachPutWhereTheServerRefusesTheHeader() throws IOException {
    proxy.plan(
        request ->
            request.header("if-none-match").isPresent()
                ? answer(501, "NotImplemented")
                : new ProxyFault.Forward());
    requireCheckedPuts();
  }

  @Test
  void checksBeforeEachPutWhereTheServerIgnoresTheHeader() throws IOException {
    ProxyFault ok =
        new ProxyFault.Answer(
            "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    Function<ProxyRequest, ProxyFault> plan =
        request -> request.header("if-none-match").isPresent() ? ok : new ProxyFault.Forward();
    proxy.plan(plan);
    requireCheckedPuts();
  }

  private void requireCheckedPuts() throws IOException {
    assertEquals(PutResult.CREATED, put("checked", 500));
    assertEquals(PutResult.ALREADY_EXISTS, put("checked", 600));
    assertEquals(
        0,
        proxy.requests().stream()
            .filter(S3FaultsTest::isSegment)
            .filter(request -> request.header("if-none-match").isPresent())
            .count());
    requireObject("checked", 500);
    int before = proxy.requests().size();
    assertEquals(PutResult.CREATED, put("checked2", 500));
    assertEquals(before + 2, proxy.requests().size(), "a HEAD and a PUT: it is remembered");
  }
}
