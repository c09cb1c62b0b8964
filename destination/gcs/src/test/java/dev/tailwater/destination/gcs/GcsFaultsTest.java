package dev.tailwater.destination.gcs;

import static dev.tailwater.destination.testkit.TestObjects.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.testkit.CloudFaults;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests with faults between the destination and the emulator, or of the emulator. */
@ExtendWith(FakeGcsServer.class)
class GcsFaultsTest extends CloudFaults {
  private final String bucket;

  GcsFaultsTest(GcsServer server) throws IOException {
    super(server.endpoint());
    bucket = server.newBucket();
  }

  @Override
  protected Destination open(URI endpoint, TimeLimits limits) throws IOException {
    return open(endpoint, bucket, limits);
  }

  private static Destination open(URI endpoint, String bucket, TimeLimits limits)
      throws IOException {
    String uri = GcsServer.uri(endpoint, bucket + "/archive", Map.of());
    return GcsProvider.open(
        GcsPlace.parse(URI.create(uri)),
        OpenIntent.WRITE,
        limits,
        GcsCredentials.none(),
        GcsServer.context());
  }

  @Override
  protected ProxyFault.Answer refusal(int status, String code) {
    return ProxyFault.Answer.googleError(status, code, "planned");
  }

  @Override
  protected boolean isSegment(ProxyRequest request) {
    return request.method().equals("POST") && request.target().startsWith("/upload/");
  }

  @Test
  void reportsARefusalLoudlyAndGoesOnWhenItHeals() throws IOException {
    Map<ProxyFault.Answer, String> refusals =
        Map.of(
            ProxyFault.Answer.googleError(403, "forbidden", "no access"),
            "storage.objects.create",
            ProxyFault.Answer.googleError(401, "authError", "Invalid Credentials"),
            "GOOGLE_APPLICATION_CREDENTIALS",
            ProxyFault.Answer.googleError(404, "notFound", "The specified bucket does not exist."),
            "Create the bucket",
            ProxyFault.Answer.googleError(400, "required", "Bucket is a requester pays bucket"),
            "user-project",
            ProxyFault.Answer.googleError(403, "forbidden", "Permission denied on Cloud KMS key"),
            "cryptoKeyEncrypterDecrypter",
            ProxyFault.Answer.googleError(507, "full", "no space"),
            "full");
    refusals.forEach(
        (answer, hint) -> {
          first(1, this::isSegment, answer);
          DestinationException e = fails("refused", 3000);
          assertTrue(e.permanent(), e.getMessage());
          assertTrue(e.hint().contains(hint), e.hint());
        });
    assertEquals(PutResult.CREATED, put("refused", 3000));
    requireObject("refused", 3000);
  }

  @Test
  void asksForFewerRequestsByItsReasonsToo() {
    for (String reason : List.of("rateLimitExceeded", "userRateLimitExceeded")) {
      first(1, this::isSegment, ProxyFault.Answer.googleError(403, reason, "slow down"));
      assertFalse(fails("storm", 10).permanent(), reason);
    }
  }

  @Test
  void aBucketThatIsNotFoundIsNoObjectThatIsNotThere() throws IOException {
    proxy()
        .plan(
            request ->
                ProxyFault.Answer.googleError(
                    404, "notFound", "The specified bucket does not exist."));
    for (DestinationException e :
        List.of(
            assertThrows(DestinationException.class, () -> place().read("a", 0, 9).close()),
            assertThrows(DestinationException.class, () -> place().delete("a")))) {
      assertTrue(e.permanent(), e.getMessage());
      assertFalse(e instanceof NoSuchObjectException, e.getMessage());
    }
    proxy().plan(request -> ProxyFault.Answer.googleError(404, "notFound", "No such object: a"));
    place().delete("a");
    assertThrows(NoSuchObjectException.class, () -> place().read("a", 0, 9));
  }

  @Test
  void aListWithoutASizeOrANameIsRefused() {
    for (String item : List.of("{\"name\":\"archive/a\"}", "{\"size\":\"1\"}", "7")) {
      proxy().plan(request -> ok("", "{\"items\":[" + item + "]}"));
      PermanentDestinationException e =
          assertThrows(
              PermanentDestinationException.class, () -> place().list("", Optional.empty(), 10));
      assertTrue(e.getMessage().contains("without its"), e.getMessage());
    }
  }

  @Test
  void whatIsNoJsonIsAFailure() {
    for (String body : List.of("", "<html>", "[", "[]", "{\"items\":", "[".repeat(100_000))) {
      proxy().plan(request -> ok("", body));
      assertThrows(DestinationException.class, () -> place().list("", Optional.empty(), 10));
    }
  }

  @Test
  void anUploadWithoutASessionIsAFailure() {
    proxy().plan(request -> ok("", "{}"));
    assertThrows(DestinationException.class, () -> upload(6 * MEBIBYTE));
  }

  @Test
  void aPartThatWasKeptOnlyInPartIsAFailure() {
    first(
        1,
        request -> request.method().equals("PUT"),
        new ProxyFault.Answer(
            String.join(
                "\r\n",
                "HTTP/1.1 308 Resume Incomplete",
                "Range: bytes=0-99",
                "Connection: close",
                "Content-Length: 0",
                "",
                "")));
    DestinationException e = assertThrows(DestinationException.class, () -> upload(6 * MEBIBYTE));
    assertFalse(e.permanent(), e.getMessage());
    assertTrue(e.getMessage().contains("bytes=0-99"), e.getMessage());
  }

  private PutResult upload(int length) throws DestinationException {
    try (SegmentUpload upload = place().beginSegment("agent/long")) {
      upload.write(ByteBuffer.wrap(bytes(length)));
      return upload.commit();
    }
  }

  @Test
  void anEmulatorThatIsKilledOrStalledLosesNothing() throws IOException {
    try (GcsServer own = FakeGcsServer.withFiles();
        Destination there = open(own.endpoint(), own.newBucket(), SHORT)) {
      assertEquals(PutResult.CREATED, there.putSegment("a", ByteBuffer.wrap(bytes(1000))));
      own.process().stall();
      DestinationException stalled = fails(there, "b", 1000);
      assertTrue(stalled.hint().contains("stalls"), stalled.getMessage() + stalled.hint());
      own.process().kill();
      assertFalse(fails(there, "b", 1000).permanent());
      own.process().restart();
      assertEquals(PutResult.CREATED, there.putSegment("c", ByteBuffer.wrap(bytes(2000))));
      assertEquals(PutResult.ALREADY_EXISTS, there.putSegment("a", ByteBuffer.wrap(bytes(9))));
    }
  }
}
