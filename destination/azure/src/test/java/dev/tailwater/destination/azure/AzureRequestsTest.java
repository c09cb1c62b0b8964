package dev.tailwater.destination.azure;

import static dev.tailwater.destination.testkit.TestObjects.bytes;
import static dev.tailwater.destination.testkit.TestObjects.upload;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.testkit.FaultyHttpProxy;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of which requests are sent, and what they contain. */
@ExtendWith(Azurite.class)
class AzureRequestsTest {
  private final FaultyHttpProxy proxy;
  private final String container;

  AzureRequestsTest(AzureServer server) throws IOException {
    proxy = FaultyHttpProxy.before(server.endpoint());
    container = server.newContainer();
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
  }

  private Destination open(Map<String, String> options) throws IOException {
    String uri = AzureServer.uri(proxy.uri(), container + "/p", options);
    return AzureServer.open(URI.create(uri), TimeLimits.STANDARD);
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
    assertEquals(List.of("PUT", "PUT", "PUT"), sent());
    assertEquals(Optional.of("*"), proxy.requests().getFirst().header("if-none-match"));
  }

  @Test
  void newObjectsHaveTheTagsAndTheRetentionOfTheOptions() throws IOException {
    try (Destination place = open(Map.of("tags", "team:web,cost%20center:a/b"))) {
      assertEquals(PutResult.CREATED, place.putSegment("tagged", ByteBuffer.wrap(new byte[1])));
      assertEquals(PutResult.CREATED, upload(place, "agent/long", bytes(6 << 20)));
    }
    String tags = "cost%20center=a%2Fb&team=web";
    assertEquals(Optional.of(tags), proxy.requests().getFirst().header("x-ms-tags"));
    assertEquals(Optional.of(tags), proxy.requests().getLast().header("x-ms-tags"), "of the list");
    int before = proxy.requests().size();
    // The emulator refuses policies for single objects.
    proxy.plan(
        request ->
            new ProxyFault.Answer(
                "HTTP/1.1 201 Created\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"));
    try (Destination place = open(Map.of("retain", "30d"))) {
      place.putSegment("kept", ByteBuffer.wrap(new byte[1]));
      place.putObject("stream.json", new byte[1]);
    }
    ProxyRequest kept = proxy.requests().get(before);
    assertEquals(Optional.of("Unlocked"), kept.header("x-ms-immutability-policy-mode"));
    ZonedDateTime until =
        ZonedDateTime.parse(
            kept.header("x-ms-immutability-policy-until-date").orElseThrow(),
            DateTimeFormatter.RFC_1123_DATE_TIME);
    assertTrue(until.isAfter(ZonedDateTime.now(ZoneOffset.UTC).plusDays(29)), until::toString);
    assertEquals(
        Optional.empty(), proxy.requests().getLast().header("x-ms-immutability-policy-mode"));
  }

  @Test
  void sendsAChecksumThatTheServerCompares() throws IOException {
    try (Destination place = open(Map.of())) {
      place.putSegment("sum", ByteBuffer.wrap("123456789".getBytes(StandardCharsets.US_ASCII)));
    }
    assertEquals(
        Optional.of("JfnnlDI7RTiF9RgfG2JNCw=="),
        proxy.requests().getFirst().header("content-md5"),
        "the MD5 of 123456789");
  }

  @Test
  void whatIsLongerThanAPartIsSentInBlocksThatAreInvisibleBeforeTheirList() throws IOException {
    byte[] content = bytes(2 * AzureStore.PART_BYTES + 1);
    try (Destination place = open(Map.of())) {
      assertEquals(PutResult.CREATED, upload(place, "agent/small", bytes(AzureStore.PART_BYTES)));
      assertEquals(List.of("PUT"), sent());
      try (SegmentUpload upload = place.beginSegment("agent/given-up")) {
        upload.write(ByteBuffer.wrap(content));
        assertEquals(1, place.list("", Optional.empty(), 10).entries().size());
      }
      int before = proxy.requests().size();
      assertEquals(PutResult.CREATED, upload(place, "agent/large", content));
      assertEquals(before + 4, proxy.requests().size(), "three blocks and their list");
      try (var stream = place.read("agent/large", 0, Long.MAX_VALUE)) {
        assertArrayEquals(content, stream.readAllBytes());
      }
      assertEquals(PutResult.ALREADY_EXISTS, upload(place, "agent/large", bytes(6 << 20)));
      assertEquals(PutResult.CREATED, upload(place, "agent/given-up", bytes(6 << 20)));
      try (var stream = place.read("agent/given-up", 0, Long.MAX_VALUE)) {
        assertArrayEquals(bytes(6 << 20), stream.readAllBytes(), "without the blocks before");
      }
    }
  }

  @Test
  void blocksWithoutAnObjectAreNotTakenForTheObject() throws IOException {
    for (byte[] content : List.of(bytes(100), new byte[0])) {
      String key = "agent/given-up" + content.length;
      try (Destination place = open(Map.of())) {
        try (SegmentUpload upload = place.beginSegment(key)) {
          upload.write(ByteBuffer.wrap(bytes(AzureStore.PART_BYTES + 1)));
        }
        // Azurite says that the object exists.
        assertEquals(PutResult.CREATED, place.putSegment(key, ByteBuffer.wrap(content)));
        assertEquals(PutResult.ALREADY_EXISTS, place.putSegment(key, ByteBuffer.wrap(bytes(9))));
        try (var stream = place.read(key, 0, Long.MAX_VALUE)) {
          assertArrayEquals(content, stream.readAllBytes());
        }
      }
    }
  }

  @Test
  void saysWhatTheOptionsAskFor() throws IOException {
    Map<String, String> options = Map.of("access-tier", "Cool", "metadata", "team:web,stage:test");
    try (Destination place = open(options)) {
      place.putSegment("a", ByteBuffer.allocate(1));
      upload(place, "agent/b", bytes(6 << 20));
    }
    for (ProxyRequest request : List.of(proxy.requests().getFirst(), proxy.requests().getLast())) {
      assertEquals(Optional.of("Cool"), request.header("x-ms-access-tier"));
      assertEquals(Optional.of("web"), request.header("x-ms-meta-team"));
      assertEquals(Optional.of("test"), request.header("x-ms-meta-stage"));
    }
  }

  @Test
  void aListOfManyPagesCostsOneRequestForEachWhereStartFromIsIgnored() throws IOException {
    try (Destination place = open(Map.of())) {
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < 25; i++) {
        keys.add("k%03d".formatted(i));
        place.putSegment(keys.getLast(), ByteBuffer.allocate(i));
      }
      int before = proxy.requests().size();
      List<String> seen = new ArrayList<>();
      Optional<String> after = Optional.empty();
      do {
        Listing page = place.list("", after, 10);
        page.entries().stream().map(Entry::key).forEach(seen::add);
        after = page.nextAfter();
      } while (after.isPresent());
      assertEquals(keys, seen);
      assertEquals(before + 4, proxy.requests().size(), "one shows that startFrom is ignored");
      before = proxy.requests().size();
      for (after = Optional.empty(), seen.clear(); seen.size() < keys.size(); ) {
        Listing page = place.list("", after, 10);
        page.entries().stream().map(Entry::key).forEach(seen::add);
        after = page.nextAfter();
      }
      assertEquals(keys, seen);
      assertEquals(before + 3, proxy.requests().size());
      // From a name that ended no page: the emulator lists from the beginning.
      assertEquals(
          List.of("k013", "k014"),
          place.list("", Optional.of("k012"), 2).entries().stream().map(Entry::key).toList());
      assertTrue(
          proxy.requests().stream().anyMatch(r -> r.target().contains("startFrom=p%2Fk012")));
      assertEquals(
          List.of("k020"),
          place.list("", Optional.of("k019x"), 1).entries().stream().map(Entry::key).toList());
    }
  }
}
