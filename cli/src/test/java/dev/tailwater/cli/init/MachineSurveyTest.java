package dev.tailwater.cli.init;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found on machines that are built here: their /sys, /run, /proc and logs. */
class MachineSurveyTest {
  @TempDir private Path root;

  private Findings look(Map<String, String> environment) {
    MachineSurvey.Places places =
        new MachineSurvey.Places(
            List.of(PosixPath.of(root.resolve("var/log"))),
            List.of(PosixPath.of(root.resolve("srv"))),
            root);
    return new MachineSurvey(LinuxFileCalls.create(), places, environment)
        .look(System.currentTimeMillis());
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void aBareMachineHasNothing() {
    Findings found = look(Map.of());
    assertEquals(List.of(), found.sources());
    assertEquals(Optional.empty(), found.cloud());
    assertFalse(found.systemd());
    assertFalse(found.kubernetes());
    assertEquals(List.of(), found.servers());
    assertEquals(Optional.empty(), found.cutShort());
    String text = new ConfigText(found, Optional.empty(), List.of(), "c.yaml").text();
    assertTrue(text.contains("CHANGE THIS"), text);
    assertTrue(text.contains("here: no cloud, since neither DMI"), text);
  }

  @Test
  void theFirmwareNamesTheCloud() throws IOException {
    write("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
    Findings found = look(Map.of());
    assertEquals(Optional.of("ec2"), found.cloud());
    String text = new ConfigText(found, Optional.empty(), List.of(), "c.yaml").text();
    assertTrue(text.contains("s3://BUCKET/PREFIX   # this is a machine of EC2"), text);
    assertTrue(text.contains("here: ec2, since sys_vendor is Amazon EC2."), text);
  }

  @Test
  void systemdAndKubernetesAreSeen() throws IOException {
    Files.createDirectories(root.resolve("run/systemd/system"));
    Findings host = look(Map.of());
    assertTrue(host.systemd());
    String text = new ConfigText(host, Optional.empty(), List.of(), "c.yaml").text();
    assertTrue(text.contains("TimeoutStopSec"), text);
    Findings pod = look(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"));
    String ofPod = new ConfigText(pod, Optional.empty(), List.of(), "c.yaml").text();
    assertTrue(ofPod.contains("terminationGracePeriodSeconds"), ofPod);
  }

  @Test
  void theSystemsLogsAreOneSourceWithoutWhatIsRewrittenInPlace() throws IOException {
    write("var/log/syslog", "text\n");
    write("var/log/nginx/access.log", "text\n".repeat(10));
    write("var/log/journal/0123/system.journal", "binary");
    write("var/log/lastlog", "binary");
    Findings found = look(Map.of());
    assertEquals(1, found.sources().size());
    SourceFound source = found.sources().getFirst();
    assertEquals(PosixPath.of(root.resolve("var/log")), source.directory().path());
    assertEquals(2, source.directory().files());
    assertEquals(List.of("/journal", "/lastlog"), source.exclude());
    assertEquals("nginx", source.busiest().getFirst().path().fileName().toString());
  }

  @Test
  void aMountedFileServerWhoseNameIsNoTextIsNotTheDestination() {
    PosixPath mount = PosixPath.of("/mnt/").resolve(EscapedPath.parse("caf\\xe9"));
    Findings found =
        new Findings(
            List.of(),
            0,
            Optional.empty(),
            "nothing",
            false,
            false,
            List.of(new FileServer(mount, "nfs4", 1_000)),
            Optional.empty());
    ConfigText config = new ConfigText(found, Optional.empty(), List.of(), "c.yaml");
    assertTrue(config.needsDestination());
    assertEquals(ConfigText.PLACEHOLDER, config.chosenDestination());
    assertTrue(config.text().contains("caf\\xe9 (nfs4), "), config.text());
  }

  @Test
  void aMountedFileServerIsTheDestination() throws IOException {
    String mount = Files.createDirectories(root.resolve("mnt")).toString();
    write(
        "proc/self/mountinfo",
        """
        22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
        30 22 0:50 / %1$s/gone rw - nfs4 server:/gone rw
        31 22 0:50 / %1$s ro - nfs4 server:/a rw
        32 22 0:51 / %1$s rw - nfs4 server:/b rw
        a line that is none
        """
            .formatted(mount));
    Findings found = look(Map.of());
    assertEquals(1, found.servers().size());
    ConfigText config = new ConfigText(found, Optional.empty(), List.of(), "c.yaml");
    assertEquals(mount + "/tailwater", config.chosenDestination());
    assertFalse(config.needsDestination());
    assertTrue(config.text().contains("# Found: " + mount + " (nfs4), "), config.text());
  }

  @Test
  void scalarsAreQuotedWhereYamlWouldReadThemOtherwise() {
    assertEquals("/var/log/app", ConfigText.scalar("/var/log/app"));
    assertEquals("s3://bucket/prefix?a=b", ConfigText.scalar("s3://bucket/prefix?a=b"));
    assertEquals("\"a: b\"", ConfigText.scalar("a: b"));
    assertEquals("\"/a #b\"", ConfigText.scalar("/a #b"));
    assertEquals("\"\\n\"", ConfigText.scalar("\n"));
    assertEquals("\"5\"", ConfigText.scalar("5"));
    assertEquals("\"s3://b:\"", ConfigText.scalar("s3://b:"));
  }
}
