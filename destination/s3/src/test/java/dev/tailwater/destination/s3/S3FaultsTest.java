package dev.tailwater.destination.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.testkit.CloudFaults;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** Tests with faults of networks and servers, between the destination and a real server. */
@ExtendWith(S3ProxyServer.class)
class S3FaultsTest extends CloudFaults {
  private final String bucket;

  S3FaultsTest(S3Server server) throws IOException {
    super(server.endpoint());
    bucket = server.newBucket();
  }

  @Override
  protected Destination open(URI endpoint, TimeLimits limits) throws IOException {
    String uri = S3Server.uri(endpoint, bucket + "/archive", Map.of());
    return S3Provider.open(
        S3Place.parse(URI.create(uri)), OpenIntent.WRITE, limits, InstantSource.system());
  }

  @Override
  protected ProxyFault.Answer refusal(int status, String code) {
    return answer(status, code);
  }

  @Override
  protected boolean isSegment(ProxyRequest request) {
    return request.method().equals("PUT") && !request.target().contains("create-only");
  }

  private static ProxyFault.Answer answer(int status, String code) {
    return ProxyFault.Answer.s3Error(status, code, Map.of());
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
          first(1, this::isSegment, answer(status, code));
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
        this::isSegment,
        ProxyFault.Answer.s3Error(
            301, "PermanentRedirect", Map.of("x-amz-bucket-region", "eu-central-1")));
    DestinationException e = fails("elsewhere", 10);
    assertTrue(e.permanent(), e.getMessage());
    assertTrue(e.hint().contains("region=eu-central-1"), e.hint());
  }

  @Test
  void whatMustBeRestoredFirstIsColdAndNoRefusal() throws IOException {
    assertEquals(PutResult.CREATED, put("cold", 3000));
    first(1, request -> request.method().equals("GET"), answer(403, "InvalidObjectState"));
    ColdObjectException e =
        assertThrows(ColdObjectException.class, () -> place().read("cold", 0, 10).close());
    assertTrue(e.hint().contains("restore-object"), e.hint());
    place().read("cold", 0, 10).close();
  }

  @Test
  void aBucketOrAUserThatIsNotFoundIsNoObjectThatIsNotThere() throws IOException {
    for (String code : List.of("NoSuchBucket", "XAdminUserNotFound")) {
      proxy().plan(request -> answer(404, code));
      for (Executable call :
          List.<Executable>of(() -> place().read("a", 0, 9).close(), () -> place().delete("a"))) {
        DestinationException e = assertThrows(DestinationException.class, call);
        assertTrue(e.permanent(), e.getMessage());
        assertFalse(e instanceof NoSuchObjectException, e.getMessage());
      }
    }
    proxy().plan(request -> answer(404, "NoSuchKey"));
    place().delete("a");
    assertThrows(NoSuchObjectException.class, () -> place().read("a", 0, 9));
  }

  @Test
  void aListThatDoesNotSayHowToGoOnIsRefusedInsteadOfRepeated() {
    String body =
        "<ListBucketResult><IsTruncated>true</IsTruncated><KeyCount>0</KeyCount>"
            + "</ListBucketResult>";
    proxy().plan(request -> ok("", body));
    assertThrows(PermanentDestinationException.class, () -> place().list("", Optional.empty(), 10));
    assertEquals(1, proxy().requests().size());
  }

  @Test
  void aListWithoutASizeOrAKeyIsRefused() {
    for (String object : List.of("<Key>archive/a</Key>", "<Size>1</Size>")) {
      proxy()
          .plan(
              request ->
                  ok(
                      "",
                      "<ListBucketResult><IsTruncated>false</IsTruncated><Contents>"
                          + object
                          + "</Contents></ListBucketResult>"));
      PermanentDestinationException e =
          assertThrows(
              PermanentDestinationException.class, () -> place().list("", Optional.empty(), 10));
      assertTrue(e.getMessage().contains("without its"), e.getMessage());
    }
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
        Destinations.open(place().uri().toString(), OpenIntent.READ, S3Server.context())) {
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
  void checksBeforeEachPutWhereTheServerRefusesTheHeader() throws IOException {
    proxy()
        .plan(
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
    proxy().plan(plan);
    requireCheckedPuts();
  }

  private void requireCheckedPuts() throws IOException {
    assertEquals(PutResult.CREATED, put("checked", 500));
    assertEquals(PutResult.ALREADY_EXISTS, put("checked", 600));
    assertEquals(
        0,
        proxy().requests().stream()
            .filter(this::isSegment)
            .filter(request -> request.header("if-none-match").isPresent())
            .count());
    requireObject("checked", 500);
    int before = proxy().requests().size();
    assertEquals(PutResult.CREATED, put("checked2", 500));
    assertEquals(before + 2, proxy().requests().size(), "a HEAD and a PUT: it is remembered");
  }
}
