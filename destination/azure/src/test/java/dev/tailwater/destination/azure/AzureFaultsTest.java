package dev.tailwater.destination.azure;

import static dev.tailwater.destination.testkit.TestObjects.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.testkit.CloudFaults;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests with faults between the destination and the emulator, or of the emulator. */
@ExtendWith(Azurite.class)
class AzureFaultsTest extends CloudFaults {
  private final AzureServer server;
  private final String container;

  AzureFaultsTest(AzureServer server) throws IOException {
    super(server.endpoint());
    this.server = server;
    container = server.newContainer();
  }

  @Override
  protected Destination open(URI endpoint, TimeLimits limits) throws IOException {
    String uri = AzureServer.uri(endpoint, container + "/archive", Map.of());
    return AzureServer.open(URI.create(uri), limits);
  }

  @Override
  protected ProxyFault.Answer refusal(int status, String code) {
    return ProxyFault.Answer.s3Error(status, code, Map.of("x-ms-error-code", code));
  }

  @Override
  protected boolean isSegment(ProxyRequest request) {
    return request.method().equals("PUT");
  }

  @Test
  void reportsARefusalLoudlyAndGoesOnWhenItHeals() throws IOException {
    Map<ProxyFault.Answer, String> refusals =
        Map.of(
            refusal(403, "AuthorizationPermissionMismatch"),
            "blobs/write",
            refusal(403, "AuthenticationFailed"),
            "AZURE_STORAGE_KEY",
            refusal(403, "KeyBasedAuthenticationNotPermitted"),
            "identity",
            refusal(403, "AuthorizationFailure"),
            "network rules",
            refusal(404, "ContainerNotFound"),
            "Create the container",
            refusal(409, "BlobImmutableDueToPolicy"),
            "immutability",
            refusal(507, "Full"),
            "full");
    refusals.forEach(
        (answer, hint) -> {
          first(1, this::isSegment, answer);
          DestinationException e = fails("refused", 3000);
          assertTrue(e.permanent(), e.getMessage());
          assertTrue(e.hint().contains(hint), e.hint());
          assertFalse((e.getMessage() + e.hint()).contains(AzureServer.KEY));
        });
    assertEquals(PutResult.CREATED, put("refused", 3000));
    requireObject("refused", 3000);
  }

  @Test
  void aContainerThatIsNotFoundIsNoObjectThatIsNotThere() throws IOException {
    proxy().plan(request -> refusal(404, "ContainerNotFound"));
    for (DestinationException e :
        List.of(
            assertThrows(DestinationException.class, () -> place().read("a", 0, 9).close()),
            assertThrows(DestinationException.class, () -> place().delete("a")))) {
      assertTrue(e.permanent(), e.getMessage());
      assertFalse(e instanceof NoSuchObjectException, e.getMessage());
    }
    proxy().plan(request -> refusal(404, "BlobNotFound"));
    place().delete("a");
    assertThrows(NoSuchObjectException.class, () -> place().read("a", 0, 9));
  }

  @Test
  void anotherConflictIsNotTakenForAnObjectThatExists() throws IOException {
    for (String code : List.of("BlobImmutableDueToPolicy", "SnapshotsPresent", "")) {
      first(1, this::isSegment, refusal(409, code));
      assertTrue(fails("conflict", 10).permanent(), code);
    }
    for (ProxyFault.Answer existing :
        List.of(refusal(409, "BlobAlreadyExists"), refusal(412, "ConditionNotMet"))) {
      first(1, this::isSegment, existing);
      assertEquals(PutResult.CREATED, put("absent", 10), "the server is asked again");
      first(1, this::isSegment, existing);
      assertEquals(PutResult.ALREADY_EXISTS, put("absent", 10));
      place().delete("absent");
    }
  }

  @Test
  void aListWithoutASizeOrANameIsRefused() {
    for (String blob :
        List.of(
            "<Name>archive/a</Name>",
            "<Properties><Content-Length>1</Content-Length></Properties>")) {
      proxy()
          .plan(
              request ->
                  ok(
                      "",
                      "<EnumerationResults><Blobs><Blob>"
                          + blob
                          + "</Blob></Blobs><NextMarker/></EnumerationResults>"));
      PermanentDestinationException e =
          assertThrows(
              PermanentDestinationException.class, () -> place().list("", Optional.empty(), 10));
      assertTrue(e.getMessage().contains("without its"), e.getMessage());
    }
  }

  @Test
  void whatIsNoListIsAFailure() {
    for (String body :
        List.of(
            "",
            "<html/>",
            "<EnumerationResults><Blobs><Blob>",
            "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/hostname\">]><EnumerationResults>&e;"
                + "</EnumerationResults>")) {
      proxy().plan(request -> ok("", body));
      assertThrows(DestinationException.class, () -> place().list("", Optional.empty(), 10), body);
    }
  }

  @Test
  void aWrongKeyIsPermanentAndNotPrinted() throws IOException {
    String secret = "c2VjcmV0LVNlM3JldA==";
    String uri = AzureServer.uri(proxy().uri(), container, Map.of());
    for (String key : List.of(secret, "Se3ret!")) {
      try (Destination other =
          AzureServer.open(
              URI.create(uri), TimeLimits.STANDARD, Map.of("AZURE_STORAGE_KEY", key))) {
        PermanentDestinationException e =
            assertThrows(
                PermanentDestinationException.class, () -> other.list("", Optional.empty(), 1));
        assertTrue((e.getMessage() + e.hint()).contains("AZURE_STORAGE_KEY"), e.hint());
        assertFalse((e.getMessage() + e.hint()).contains(key), e.getMessage());
      }
    }
  }

  @Test
  void anEmulatorThatIsKilledOrStalledLosesNothing() throws IOException {
    try (AzureServer own = Azurite.own();
        Destination there =
            AzureServer.open(
                URI.create(
                    AzureServer.uri(own.endpoint(), own.newContainer() + "/archive", Map.of())),
                SHORT)) {
      assertEquals(PutResult.CREATED, there.putSegment("a", ByteBuffer.wrap(bytes(1000))));
      own.process().stall();
      DestinationException stalled = fails(there, "b", 1000);
      assertTrue(stalled.hint().contains("stalls"), stalled.getMessage() + stalled.hint());
      own.process().goOn();
      assertEquals(PutResult.CREATED, there.putSegment("c", ByteBuffer.wrap(bytes(2000))));
      own.process().kill();
      assertFalse(fails(there, "d", 1000).permanent());
    }
  }

  @Test
  void whatIsInTheArchiveTierIsColdAndNoRefusal() throws IOException {
    assertEquals(PutResult.CREATED, put("cold", 3000));
    server.archive(container, "archive/cold");
    ColdObjectException e =
        assertThrows(ColdObjectException.class, () -> place().read("cold", 0, 10).close());
    assertTrue(e.hint().contains("rehydrate"), e.hint());
    assertEquals(1, place().list("cold", Optional.empty(), 10).entries().size());
    assertEquals(PutResult.ALREADY_EXISTS, put("cold", 3000));
  }

  @Test
  void aRecordThatIsInTheArchiveTierIsReplaced() throws IOException {
    place().putObject("record", new byte[] {1});
    server.archive(container, "archive/record");
    place().putObject("record", new byte[] {2});
    try (InputStream read = place().read("record", 0, 10)) {
      assertArrayEquals(new byte[] {2}, read.readAllBytes());
    }
  }
}
