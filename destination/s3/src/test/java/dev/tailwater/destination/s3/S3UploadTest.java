package dev.tailwater.destination.s3;

import static dev.tailwater.destination.testkit.TestObjects.bytes;
import static dev.tailwater.destination.testkit.TestObjects.upload;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.testkit.FaultyHttpProxy;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/** Tests of the requests of an upload, and of the removal of abandoned uploads. */
@ExtendWith(VersityServer.class)
class S3UploadTest {
  private final S3Server server;
  private final FaultyHttpProxy proxy;
  private final String bucket;
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  private final Destination place;

  S3UploadTest(S3Server server) throws IOException {
    this.server = server;
    proxy = FaultyHttpProxy.before(server.endpoint());
    bucket = server.newBucket();
    place = open();
  }

  private Destination open() throws DestinationException {
    Map<String, String> told = Map.of("create-only", "if-none-match");
    S3Place parsed = S3Place.parse(URI.create(S3Server.uri(proxy.uri(), bucket + "/p", told)));
    return S3Provider.open(parsed, OpenIntent.WRITE, TimeLimits.STANDARD, now::get);
  }

  @AfterEach
  void close() throws IOException {
    place.close();
    proxy.close();
  }

  private List<String> sent() {
    return proxy.requests().stream().map(ProxyRequest::method).toList();
  }

  private List<String> unfinished() {
    try (S3Client client = server.client()) {
      return client.listMultipartUploads(r -> r.bucket(bucket)).uploads().stream()
          .map(MultipartUpload::key)
          .toList();
    }
  }

  @Test
  void whatFitsOnePartIsOnePut() throws IOException {
    assertEquals(PutResult.CREATED, upload(place, "agent/small", bytes(S3Store.PART_BYTES)));
    assertEquals(List.of("PUT"), sent());
  }

  @Test
  void whatIsLongerIsSentInPartsAndCreatedByTheLastRequest() throws IOException {
    byte[] content = bytes(2 * S3Store.PART_BYTES + 1);
    assertEquals(PutResult.CREATED, upload(place, "agent/large", content));
    // List abandoned uploads, create, three parts, check whether the object exists, complete.
    assertEquals(List.of("GET", "POST", "PUT", "PUT", "PUT", "HEAD", "POST"), sent());
    try (var stream = place.read("agent/large", 0, Long.MAX_VALUE)) {
      assertArrayEquals(content, stream.readAllBytes());
    }
    assertEquals(List.of(), unfinished());
  }

  @Test
  void whatIsGivenUpIsAborted() throws IOException {
    try (SegmentUpload upload = place.beginSegment("agent/given-up")) {
      upload.write(ByteBuffer.wrap(bytes(S3Store.PART_BYTES + 1)));
      assertEquals(List.of("p/agent/given-up"), unfinished());
    }
    assertEquals(List.of(), unfinished());
    place.putSegment("agent/there", ByteBuffer.allocate(1));
    assertEquals(
        PutResult.ALREADY_EXISTS, upload(place, "agent/there", bytes(S3Store.PART_BYTES + 1)));
    assertEquals(List.of(), unfinished());
  }

  @Test
  void afterAFailureNothingIsTakenAnyMore() throws IOException {
    try (S3Client client = server.client();
        SegmentUpload upload = place.beginSegment("agent/aborted")) {
      upload.write(ByteBuffer.wrap(bytes(S3Store.PART_BYTES + 1)));
      MultipartUpload begun =
          client.listMultipartUploads(r -> r.bucket(bucket)).uploads().getFirst();
      client.abortMultipartUpload(
          r -> r.bucket(bucket).key(begun.key()).uploadId(begun.uploadId()));
      DestinationException failure = assertThrows(DestinationException.class, upload::commit);
      assertTrue(!failure.permanent(), () -> "beginning anew helps: " + failure);
      assertThrows(IllegalStateException.class, upload::commit);
      assertThrows(IllegalStateException.class, () -> upload.write(ByteBuffer.allocate(1)));
    }
  }

  @Test
  void whatAStoppedProcessLeftOfThisAgentIsAbortedADayLater() throws IOException {
    try (S3Client client = server.client()) {
      for (String key : List.of("p/agent/x/old", "p/other/old", "elsewhere")) {
        client.createMultipartUpload(r -> r.bucket(bucket).key(key));
      }
      upload(place, "agent/first", bytes(S3Store.PART_BYTES + 1));
      assertEquals(3, unfinished().size(), "too young");
      now.updateAndGet(time -> time.plus(Duration.ofHours(25)));
      upload(place, "agent/second", bytes(S3Store.PART_BYTES + 1));
      assertEquals(List.of("elsewhere", "p/other/old"), unfinished().stream().sorted().toList());
    }
  }

  @Test
  void aRefusedLookForTheObjectNamesThePermissionThatLetsItBeSeenMissing() throws IOException {
    proxy.plan(
        request ->
            request.method().equals("HEAD")
                ? ProxyFault.Answer.s3Error(403, "AccessDenied", Map.of())
                : new ProxyFault.Forward());
    byte[] content = bytes(S3Store.PART_BYTES + 1);
    DestinationException refusal =
        assertThrows(DestinationException.class, () -> upload(place, "agent/large", content));
    assertTrue(refusal.permanent(), refusal::getMessage);
    assertTrue(refusal.hint().contains("s3:ListBucket"), refusal::hint);
  }
}
