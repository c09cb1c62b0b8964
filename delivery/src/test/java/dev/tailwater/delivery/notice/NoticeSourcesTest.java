package dev.tailwater.delivery.notice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NoticeSourcesTest {
  @TempDir private Path firmware;

  private final Map<String, String> environment = new HashMap<>();

  private List<String> found() throws Exception {
    return found(List.of(Duration.ofSeconds(5)));
  }

  private List<String> found(List<Duration> timeouts) throws Exception {
    NoticeSources sources =
        new NoticeSources(
            CloudEndpoints.of(environment),
            InstantSource.system(),
            new MachineVendor(firmware),
            timeouts);
    return sources.ofThisCloud().sources().stream().map(NoticeSource::name).toList();
  }

  /** An address at which nobody listens, for all clouds. */
  private void nobodyAnswers() throws IOException {
    String nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = "127.0.0.1:" + socket.getLocalPort();
    }
    environment.put("AWS_EC2_METADATA_SERVICE_ENDPOINT", "http://" + nobody);
    environment.put("GCE_METADATA_HOST", nobody);
    environment.put(CloudEndpoints.AZURE_VARIABLE, "http://" + nobody);
  }

  @Test
  void findsTheCloudThatAnswers() throws Exception {
    nobodyAnswers();
    assertEquals(List.of(), found());
    try (FakeEc2 ec2 = new FakeEc2()) {
      environment.put("AWS_EC2_METADATA_SERVICE_ENDPOINT", ec2.uri().toString());
      assertEquals(List.of("ec2"), found());
      environment.put("AWS_EC2_METADATA_DISABLED", "TRUE");
      assertEquals(List.of(), found());
    }
    try (FakeGce gce = new FakeGce()) {
      environment.put("GCE_METADATA_HOST", gce.uri().getAuthority());
      assertEquals(List.of("gce preemption", "gce maintenance"), found());
    }
    try (FakeAzure azure = new FakeAzure()) {
      environment.put(CloudEndpoints.AZURE_VARIABLE, azure.uri().toString());
      assertEquals(List.of("azure"), found());
    }
  }

  @Test
  void takesNoCloudForAnother() throws Exception {
    try (FakeEc2 ec2 = new FakeEc2();
        FakeGce gce = new FakeGce();
        FakeAzure azure = new FakeAzure()) {
      for (MetadataServer server : List.of(ec2, gce, azure)) {
        environment.put("AWS_EC2_METADATA_SERVICE_ENDPOINT", server.uri().toString());
        environment.put("GCE_METADATA_HOST", server.uri().getAuthority());
        environment.put(CloudEndpoints.AZURE_VARIABLE, server.uri().toString());
        assertEquals(1, found().stream().map(n -> n.split(" ", 2)[0]).distinct().count());
      }
    }
  }

  @Test
  void asksAgainACloudThatDidNotAnswerInTime() throws Exception {
    nobodyAnswers();
    try (FakeEc2 ec2 = new FakeEc2()) {
      environment.put("AWS_EC2_METADATA_SERVICE_ENDPOINT", ec2.uri().toString());
      ec2.trouble(MetadataServer.Trouble.HANG);
      assertEquals(List.of(), found(List.of(Duration.ofMillis(100))));
      Thread.ofVirtual()
          .start(
              () -> {
                while (ec2.requests().isEmpty()) {
                  LockSupport.parkNanos(1_000_000);
                }
                ec2.trouble(MetadataServer.Trouble.NONE);
              });
      Duration tooShort = Duration.ofMillis(500);
      assertEquals(
          List.of("ec2"),
          found(List.of(tooShort, tooShort, tooShort, tooShort, Duration.ofSeconds(30))));
    }
  }

  @Test
  void believesTheFirmwareWhenNobodyAnswers() throws Exception {
    nobodyAnswers();
    firmware("class/dmi/id/sys_vendor", "Amazon EC2");
    assertEquals(List.of("ec2"), found());
    firmware("class/dmi/id/sys_vendor", "Google");
    firmware("class/dmi/id/product_name", "Google Compute Engine");
    assertEquals(List.of("gce preemption", "gce maintenance"), found());
    firmware("class/dmi/id/sys_vendor", "Microsoft Corporation");
    firmware("class/dmi/id/product_name", "Virtual Machine");
    assertEquals(List.of(), found(), "a machine of somebody's own Hyper-V");
    firmware("class/dmi/id/chassis_asset_tag", "7783-7084-3265-9085-8269-3286-77");
    assertEquals(List.of("azure"), found());
  }

  @Test
  void knowsInstancesOfEc2ByTheirAssetTagAndOnXenByTheirUuid() throws Exception {
    firmware("class/dmi/id/board_asset_tag", "i-0123456789abcdef0");
    assertEquals(List.of("ec2"), found());
    firmware("class/dmi/id/board_asset_tag", "Not Specified");
    assertEquals(List.of(), found());
    firmware("hypervisor/uuid", "ec2e1916-9099-7caf-fd21-012345abcdef");
    assertEquals(List.of("ec2"), found());
    firmware("hypervisor/uuid", "45e12aec-dcd1-b213-94ed-01234567890a");
    assertEquals(List.of("ec2"), found(), "in the other byte order");
    firmware("hypervisor/uuid", "11111111-dcd1-b213-94ed-01234567890a");
    assertEquals(List.of(), found());
  }

  @Test
  void asksNobodyWhereNeitherFirmwareNorEnvironmentNamesACloud() throws Exception {
    try (FakeEc2 ec2 = new FakeEc2();
        FakeGce gce = new FakeGce();
        FakeAzure azure = new FakeAzure()) {
      CloudEndpoints endpoints =
          new CloudEndpoints(Optional.of(ec2.uri()), gce.uri(), azure.uri(), Set.of());
      NoticeSources sources =
          new NoticeSources(endpoints, InstantSource.system(), new MachineVendor(firmware));
      Detection none = sources.ofThisCloud();
      assertEquals(List.of(), none.sources());
      assertTrue(none.reason().startsWith("no cloud"), none.reason());
      firmware("class/dmi/id/product_name", "Google Compute Engine");
      Detection found = sources.ofThisCloud();
      assertEquals("gce, since product_name is Google Compute Engine", found.reason());
      assertEquals(2, found.sources().size());
      for (MetadataServer server : List.of(ec2, gce, azure)) {
        assertEquals(List.of(), server.requests(), "nobody was asked");
      }
    }
  }

  private void firmware(String name, String text) throws IOException {
    Path file = firmware.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  @Test
  void namesAVariableThatHoldsNoAddress() {
    for (String wrong : List.of("169.254.169.254", "ftp://x", "http://", "http://a b")) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> CloudEndpoints.of(Map.of("AWS_EC2_METADATA_SERVICE_ENDPOINT", wrong)));
      assertTrue(
          String.valueOf(e.getMessage()).startsWith("AWS_EC2_METADATA_SERVICE_ENDPOINT"),
          e.toString());
    }
    assertEquals(
        "http://[fd00:ec2::254]",
        CloudEndpoints.of(Map.of("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE", "IPv6"))
            .ec2()
            .orElseThrow()
            .toString());
  }
}
