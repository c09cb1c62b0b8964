package dev.tailwater.destination.s3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.testkit.FaultyHttpProxy;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Tests of which requests are sent, and what they contain. */
@ExtendWith(S3ProxyServer.class)
class S3RequestsTest {
  private final S3Server server;
  private final FaultyHttpProxy proxy;
  private final String bucket;

  S3RequestsTest(S3Server server) throws IOException {
    this.server = server;
    proxy = FaultyHttpProxy.before(server.endpoint());
    bucket = server.newBucket();
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
  }

  private Destination open(String prefix, Map<String, String> options) throws IOException {
    return S3Server.open(proxy.uri(), bucket + prefix, options);
  }

  private List<String> sent() {
    return proxy.requests().stream().map(ProxyRequest::method).toList();
  }

  @Test
  void onePutForEachSegmentAndOneQuestionForEachStart() throws IOException {
    for (int start = 0; start < 2; start++) {
      int before = proxy.requests().size();
      try (Destination place = open("/p", Map.of())) {
        for (int i = 0; i < 5; i++) {
          place.putSegment("s" + start + i, ByteBuffer.wrap(new byte[100_000]));
        }
      }
      int question = start == 0 ? 2 : 1;
      assertEquals(question + 5, proxy.requests().size() - before, sent()::toString);
    }
    try (S3Client client = server.client()) {
      assertEquals(11, client.listObjectsV2(r -> r.bucket(bucket)).keyCount());
    }
    try (Destination place = open("/p", Map.of())) {
      assertEquals(10, place.list("", Optional.empty(), 100).entries().size(), "without its own");
    }
  }

  @Test
  void asksNothingWhereItIsTold() throws IOException {
    try (Destination place = open("", Map.of("create-only", "if-none-match"))) {
      place.putSegment("a", ByteBuffer.wrap(new byte[1]));
    }
    try (Destination place = open("", Map.of("create-only", "check"))) {
      place.putSegment("b", ByteBuffer.wrap(new byte[1]));
    }
    assertEquals(List.of("PUT", "HEAD", "PUT"), sent());
  }

  @Test
  void signsBodiesOnlyWhereItIsToldOnLoopback() throws IOException {
    for (String signs : List.of("true", "false")) {
      try (Destination place =
          open("", Map.of("create-only", "if-none-match", "sign-bodies", signs))) {
        place.putSegment("body-" + signs, ByteBuffer.wrap(new byte[100_000]));
        try (var stream = place.read("body-" + signs, 0, Long.MAX_VALUE)) {
          assertArrayEquals(new byte[100_000], stream.readAllBytes());
        }
      }
    }
    try (Destination place = open("", Map.of("create-only", "if-none-match"))) {
      place.putSegment("body", ByteBuffer.wrap(new byte[1]));
    }
    List<String> hashes =
        proxy.requests().stream()
            .filter(request -> request.method().equals("PUT"))
            .map(request -> request.header("x-amz-content-sha256").orElseThrow())
            .toList();
    assertEquals(64, hashes.get(0).length(), hashes::toString);
    assertEquals("UNSIGNED-PAYLOAD", hashes.get(1));
    assertEquals("UNSIGNED-PAYLOAD", hashes.get(2));
    for (ProxyRequest request : proxy.requests()) {
      String signature = request.header("authorization").orElseThrow();
      assertTrue(
          !request.method().equals("PUT") || signature.contains("x-amz-checksum-crc32c"),
          "the checksum of the body is signed: " + signature);
    }
  }

  @Test
  void locksSegmentsAndNotTheSmallObjectsThatAreReplaced() throws IOException {
    String stored =
        "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    proxy.plan(request -> new ProxyFault.Answer(stored));
    Map<String, String> options =
        Map.of("create-only", "if-none-match", "retain", "30d", "tags", "team:web,a%20b:c/d");
    try (Destination place = open("", options)) {
      assertEquals(0, place.capabilities().recommendedMergeBytes());
      place.putSegment("segment", ByteBuffer.wrap(new byte[1]));
      place.putObject("stream.json", new byte[1]);
    }
    ProxyRequest segment = proxy.requests().get(0);
    ProxyRequest small = proxy.requests().get(1);
    assertEquals(Optional.of("GOVERNANCE"), segment.header("x-amz-object-lock-mode"));
    Instant until =
        Instant.parse(segment.header("x-amz-object-lock-retain-until-date").orElseThrow());
    Duration lasts = Duration.between(Instant.now(), until);
    assertTrue(lasts.compareTo(Duration.ofDays(29)) > 0, lasts::toString);
    assertTrue(lasts.compareTo(Duration.ofDays(30)) <= 0, lasts::toString);
    assertEquals(Optional.empty(), small.header("x-amz-object-lock-mode"));
    assertEquals(Optional.of("a%20b=c%2Fd&team=web"), segment.header("x-amz-tagging"));
    assertEquals(segment.header("x-amz-tagging"), small.header("x-amz-tagging"));
  }

  @Test
  void sendsOurChecksumAndTheServerComparesIt() throws IOException {
    byte[] content = "123456789".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    try (Destination place = open("", Map.of("create-only", "if-none-match"))) {
      place.putSegment("sum", ByteBuffer.wrap(content));
    }
    // The check value of CRC-32C is e3069283.
    assertEquals(
        Optional.of("4waSgw=="), proxy.requests().getFirst().header("x-amz-checksum-crc32c"));
    try (S3Client client = server.client()) {
      S3Exception e =
          assertThrows(
              S3Exception.class,
              () ->
                  client.putObject(
                      r -> r.bucket(bucket).key("wrong").checksumCRC32C("4waSgg=="),
                      RequestBody.fromBytes(content)));
      assertEquals(400, e.statusCode());
    }
  }

  @Test
  void saysWhatTheOptionsAskFor() throws IOException {
    try (Destination place =
        open(
            "",
            Map.of(
                "create-only",
                "if-none-match",
                "storage-class",
                "STANDARD_IA",
                "requester-pays",
                "true",
                "sse",
                "kms",
                "kms-key",
                "alias%2Flogs"))) {
      // S3Proxy refuses options that it does not know; only the request matters here.
      assertThrows(IOException.class, () -> place.putSegment("a", ByteBuffer.allocate(1)));
    }
    ProxyRequest put = proxy.requests().getFirst();
    assertEquals(Optional.of("STANDARD_IA"), put.header("x-amz-storage-class"));
    assertEquals(Optional.of("requester"), put.header("x-amz-request-payer"));
    assertEquals(Optional.of("aws:kms"), put.header("x-amz-server-side-encryption"));
    assertEquals(
        Optional.of("alias/logs"), put.header("x-amz-server-side-encryption-aws-kms-key-id"));
    assertEquals(Optional.of("*"), put.header("if-none-match"));
  }

  @Test
  void listsMoreThanAPageWithContinuations() throws IOException {
    List<String> keys = new ArrayList<>();
    try (Destination place = open("/many", Map.of())) {
      for (int i = 0; i < 25; i++) {
        keys.add("k%03d".formatted(i));
        place.putSegment(keys.getLast(), ByteBuffer.allocate(i));
      }
      List<String> seen = new ArrayList<>();
      Optional<String> after = Optional.empty();
      do {
        Listing page = place.list("", after, 10);
        page.entries().stream().map(Entry::key).forEach(seen::add);
        after = page.nextAfter();
      } while (after.isPresent());
      assertEquals(keys, seen);
    }
  }

  @Test
  void passesOverWhatIsNoObjectOfAnArchive() throws IOException {
    try (S3Client client = server.client();
        Destination place = open("/p", Map.of())) {
      for (String foreign : List.of("p/.tailwater-tmp/x", "p/.tailwater-tmp/y", "p/a/", "q")) {
        client.putObject(r -> r.bucket(bucket).key(foreign), RequestBody.fromString("x"));
      }
      place.putSegment("z", ByteBuffer.allocate(3));
      Listing page = place.list("", Optional.empty(), 1);
      assertEquals(List.of("z"), page.entries().stream().map(Entry::key).toList());
    }
  }

  @Test
  void aPutOfEightMebibytesAllocatesNoSecondCopy() throws IOException {
    byte[] content = new byte[8 << 20];
    new Random(1).nextBytes(content);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Destination place = open("", Map.of())) {
      place.putSegment("first", ByteBuffer.wrap(content));
      long before = threads.getCurrentThreadAllocatedBytes();
      assertEquals(PutResult.CREATED, place.putSegment("second", ByteBuffer.wrap(content)));
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      assertTrue(allocated < 2 << 20, () -> allocated + " bytes were allocated");
      try (var stream = place.read("second", 0, Long.MAX_VALUE)) {
        assertArrayEquals(content, stream.readAllBytes());
      }
    }
  }

  @Test
  void nothingOfARequestIsKeptUntilItsTimeLimit() throws IOException {
    S3Place place =
        S3Place.parse(URI.create(S3Server.uri(proxy.uri(), bucket + "/limits", Map.of())));
    AtomicInteger underWay = new AtomicInteger();
    try (S3Requests requests =
        S3Requests.open(place, TimeLimits.STANDARD, InstantSource.system())) {
      proxy.plan(
          request -> {
            underWay.addAndGet(requests.underWay());
            return new ProxyFault.Forward();
          });
      for (int i = 0; i < 3; i++) {
        requests.put("limits/" + i, BufferBody.of(ByteBuffer.allocate(10)), false, false);
        assertEquals(0, requests.underWay(), "the answer is there");
      }
    }
    assertEquals(3, underWay.get(), "each was watched");
  }

  @Test
  void aKeyThatIsTooLongWithThePrefixIsRefusedHere() throws IOException {
    String key = "d/".repeat(500) + "x";
    try (Destination place = open("/" + "p".repeat(30), Map.of())) {
      PermanentDestinationException e =
          assertThrows(
              PermanentDestinationException.class,
              () -> place.putSegment(key, ByteBuffer.allocate(1)));
      assertTrue(e.getMessage().contains("1032"), e.getMessage());
    }
    assertEquals(List.of(), sent());
  }
}
