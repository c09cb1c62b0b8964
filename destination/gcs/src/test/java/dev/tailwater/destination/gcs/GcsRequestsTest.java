package dev.tailwater.destination.gcs;

import static dev.tailwater.destination.testkit.TestObjects.bytes;
import static dev.tailwater.destination.testkit.TestObjects.upload;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.testkit.FaultyHttpProxy;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of which requests are sent, and what they contain. */
@ExtendWith(FakeGcsServer.class)
class GcsRequestsTest {
  private final GcsServer server;
  private final FaultyHttpProxy proxy;
  private final String bucket;

  GcsRequestsTest(GcsServer server) throws IOException {
    this.server = server;
    proxy = FaultyHttpProxy.before(server.endpoint());
    bucket = server.newBucket();
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
  }

  private Destination open(Map<String, String> options) throws IOException {
    return GcsServer.open(proxy.uri(), bucket + "/p", options);
  }

  private List<String> sent() {
    return proxy.requests().stream().map(ProxyRequest::method).toList();
  }

  @Test
  void oneRequestForEachSegmentAndNoneForAStart() throws IOException {
    try (Destination place = open(Map.of())) {
      for (int i = 0; i < 3; i++) {
        place.putSegment("s" + i, ByteBuffer.wrap(new byte[100_000]));
      }
    }
    assertEquals(List.of("POST", "POST", "POST"), sent());
    assertTrue(proxy.requests().getFirst().target().contains("ifGenerationMatch=0"));
    assertEquals(Optional.empty(), proxy.requests().getFirst().header("authorization"));
  }

  @Test
  void whatIsLongerThanAPartIsSentInPartsAndNothingIsLeftToRemove() throws IOException {
    byte[] content = bytes(2 * GcsStore.PART_BYTES + 1);
    try (Destination place = open(Map.of())) {
      assertEquals(PutResult.CREATED, upload(place, "agent/small", bytes(GcsStore.PART_BYTES)));
      assertEquals(List.of("POST"), sent());
      assertEquals(PutResult.CREATED, upload(place, "agent/large", content));
      assertEquals(List.of("POST", "POST", "PUT", "PUT", "PUT"), sent());
      try (var stream = place.read("agent/large", 0, Long.MAX_VALUE)) {
        assertArrayEquals(content, stream.readAllBytes());
      }
      assertEquals(PutResult.ALREADY_EXISTS, upload(place, "agent/large", bytes(6 << 20)));
      assertEquals("DELETE", sent().getLast(), "the session is ended");
      assertEquals(2, place.list("", Optional.empty(), 10).entries().size());
    }
  }

  @Test
  void whatIsGivenUpIsEndedAndNeverSeen() throws IOException {
    try (Destination place = open(Map.of())) {
      try (SegmentUpload upload = place.beginSegment("agent/given-up")) {
        upload.write(ByteBuffer.wrap(bytes(GcsStore.PART_BYTES + 1)));
      }
      assertEquals(List.of("POST", "PUT", "DELETE"), sent());
      assertEquals(List.of(), place.list("", Optional.empty(), 10).entries());
    }
  }

  @Test
  void aRefusedPreconditionAtTheBeginningMeansThatTheObjectExists() throws IOException {
    proxy.plan(
        request ->
            request.target().contains("uploadType=resumable")
                ? ProxyFault.Answer.googleError(412, "conditionNotMet", "planned")
                : new ProxyFault.Forward());
    try (Destination place = open(Map.of())) {
      assertEquals(PutResult.ALREADY_EXISTS, upload(place, "agent/there", bytes(11 << 20)));
    }
    assertEquals(List.of("POST"), sent());
  }

  @Test
  void saysWhatTheOptionsAskFor() throws IOException {
    Map<String, String> options =
        Map.of(
            "storage-class",
            "NEARLINE",
            "user-project",
            "payer",
            "kms-key",
            "projects%2Fp%2Flocations%2Fl%2FkeyRings%2Fr%2FcryptoKeys%2Fk",
            "metadata",
            "team:web,stage:test");
    try (Destination place = open(options)) {
      place.putSegment("a", ByteBuffer.allocate(1));
      upload(place, "agent/b", bytes(6 << 20));
    }
    for (ProxyRequest request : proxy.requests()) {
      if (request.method().equals("POST")) {
        assertTrue(request.target().contains("kmsKeyName=projects%2Fp%2F"), request.target());
        assertTrue(request.target().contains("userProject=payer"), request.target());
      }
    }
    for (String name : List.of("p/a", "p/agent/b")) {
      String attributes = server.attributes(bucket, name);
      assertTrue(attributes.contains("\"NEARLINE\""), attributes);
      assertTrue(attributes.contains("\"team\":\"web\""), attributes);
      assertTrue(attributes.contains("\"stage\":\"test\""), attributes);
    }
  }

  @Test
  void listsMoreThanAPageAndPassesOverWhatIsNoObjectOfAnArchive() throws IOException {
    for (String foreign : List.of("p/.tailwater-tmp/x", "p/k/", "q", "p/k003/")) {
      server.put(bucket, foreign);
    }
    try (Destination place = open(Map.of())) {
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < 25; i++) {
        keys.add("k%03d".formatted(i));
        place.putSegment(keys.getLast(), ByteBuffer.allocate(i));
      }
      for (int pageSize : new int[] {1, 10}) {
        List<String> seen = new ArrayList<>();
        Optional<String> after = Optional.empty();
        do {
          Listing page = place.list("", after, pageSize);
          page.entries().stream().map(Entry::key).forEach(seen::add);
          after = page.nextAfter();
        } while (after.isPresent());
        assertEquals(keys, seen);
      }
    }
  }

  @Test
  void aPutOfEightMebibytesAllocatesNoSecondCopy() throws IOException {
    byte[] content = bytes(8 << 20);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Destination place = open(Map.of())) {
      place.putSegment("first", ByteBuffer.wrap(content));
      long before = threads.getTotalThreadAllocatedBytes();
      assertEquals(PutResult.CREATED, place.putSegment("second", ByteBuffer.wrap(content)));
      long allocated = threads.getTotalThreadAllocatedBytes() - before;
      assertTrue(allocated < 4 << 20, () -> allocated + " bytes were allocated by all threads");
    }
  }

  @Test
  void aContentWithLinesOfItsOwnIsKeptAsItIs() throws IOException {
    byte[] content = "\r\n--x\r\n\r\n--x--\r\n".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    try (Destination place = open(Map.of())) {
      place.putSegment("lines", ByteBuffer.wrap(content));
      place.putSegment("empty", ByteBuffer.allocate(0));
      try (var stream = place.read("lines", 0, Long.MAX_VALUE);
          var empty = place.read("empty", 0, Long.MAX_VALUE)) {
        assertArrayEquals(content, stream.readAllBytes());
        assertEquals(-1, empty.read());
      }
    }
  }

  @Test
  void aServerOfAnotherNameIsNotAskedForASession() throws IOException {
    proxy.plan(
        request ->
            request.target().contains("uploadType=resumable")
                ? new ProxyFault.Answer(
                    String.join(
                        "\r\n",
                        "HTTP/1.1 200 OK",
                        "Location: http://192.0.2.1/upload/x?upload_id=1",
                        "Connection: close",
                        "Content-Length: 0",
                        "",
                        ""))
                : new ProxyFault.Forward());
    try (Destination place = open(Map.of())) {
      assertThrows(DestinationException.class, () -> upload(place, "agent/b", bytes(6 << 20)));
    }
    assertTrue(proxy.requests().stream().anyMatch(r -> r.target().equals("/upload/x?upload_id=1")));
  }

  @Test
  void aLastPartThatIsKeptOnlyInPartIsSentAnew() throws IOException {
    proxy.plan(
        request ->
            request.header("content-range").filter(range -> !range.endsWith("/*")).isPresent()
                ? new ProxyFault.Answer(
                    String.join(
                        "\r\n",
                        "HTTP/1.1 308 Resume Incomplete",
                        "Range: bytes=0-5242879",
                        "Connection: close",
                        "Content-Length: 0",
                        "",
                        ""))
                : new ProxyFault.Forward());
    try (Destination place = open(Map.of());
        SegmentUpload upload = place.beginSegment("agent/long")) {
      upload.write(ByteBuffer.allocate(GcsStore.PART_BYTES + 9));
      DestinationException e = assertThrows(DestinationException.class, upload::commit);
      assertFalse(e.permanent(), e.getMessage());
      assertTrue(e.getMessage().contains("kept bytes=0-5242879 of the first 5242889"), e::reason);
    }
  }
}
