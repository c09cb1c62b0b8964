package dev.tailwater.destination.hdfs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Tests with a secure cluster: a KDC, tickets from keytabs, SASL with privacy between client and
 * data nodes. Each login is in a process of its own, since Hadoop has one kind of login for a
 * process.
 */
@EnabledIfSystemProperty(
    named = "tailwater.soak",
    matches = "true",
    disabledReason = "a second cluster; -Dtailwater.soak=true")
class KerberosTest {
  private static final String PRINCIPAL = "tailwater/localhost@EXAMPLE.COM";

  /** A process with the KDC's krb5.conf, which prints what it finds. */
  static final class Client {
    private Client() {}

    public static void main(String[] arguments) throws IOException {
      HdfsPlace place = HdfsPlace.parse(URI.create(arguments[0]));
      try (Destination archive =
          HdfsDestination.open(
              place, OpenIntent.WRITE, HdfsCluster.context(), TimeLimits.STANDARD)) {
        byte[] content = HalfWritten.bytes("kerberos");
        PutResult result = archive.putSegment("a/b", ByteBuffer.wrap(content));
        try (InputStream stream = archive.read("a/b", 0, Long.MAX_VALUE)) {
          assertArrayEquals(content, stream.readAllBytes());
        }
        System.out.println(result + " " + archive.list("", Optional.empty(), 9).entries().size());
      } catch (PermanentDestinationException e) {
        System.out.println("PERMANENT " + e.getMessage() + " / " + e.hint());
      }
    }
  }

  private static String run(HdfsCluster cluster, String uri) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.security.krb5.conf=" + cluster.directory().resolve("krb5.conf"),
                "-cp",
                System.getProperty("java.class.path"),
                Client.class.getName(),
                uri)
            .redirectErrorStream(true)
            .start();
    List<String> lines = process.inputReader().lines().toList();
    assertTrue(process.waitFor(2, TimeUnit.MINUTES));
    assertEquals(0, process.exitValue(), lines.toString());
    return String.join("\n", lines);
  }

  @Test
  void shipsWithAKeytabAndSaysWhatIsWrongWithAnotherOne() throws Exception {
    try (HdfsCluster cluster = HdfsCluster.start(3, "kerberos")) {
      Path directory = cluster.directory();
      String place =
          "hdfs://localhost:" + cluster.port() + "/archive?config=" + directory.resolve("conf");
      String keytab =
          "&principal=" + PRINCIPAL + "&keytab=" + directory.resolve("tailwater.keytab");

      assertEquals("CREATED 1", run(cluster, place + keytab), "and nothing else is printed");
      assertEquals("ALREADY_EXISTS 1", run(cluster, place + keytab));

      String other = run(cluster, place + keytab.replace("tailwater.keytab", "other.keytab"));
      assertTrue(other.startsWith("PERMANENT ") && other.contains("klist -kt"), other);
      String absent = run(cluster, place + keytab.replace("tailwater.keytab", "no.keytab"));
      assertTrue(absent.startsWith("PERMANENT ") && absent.contains("klist -kt"), absent);
      String without = run(cluster, place);
      assertTrue(without.startsWith("PERMANENT ") && without.contains("kinit"), without);
      String simple = run(cluster, "hdfs://localhost:" + cluster.port() + "/archive");
      assertTrue(simple.contains("The cluster wants Kerberos"), simple);
    }
  }

  @Test
  void saysThatAConfigurationDirectoryIsEmpty() throws IOException {
    Path empty = Files.createTempDirectory("conf");
    try (Destination archive =
        HdfsDestination.open(
            HdfsPlace.parse(URI.create("hdfs://nn/a?config=" + empty)),
            OpenIntent.READ,
            HdfsCluster.context(),
            TimeLimits.STANDARD)) {
      PermanentDestinationException e =
          assertThrows(
              PermanentDestinationException.class, () -> archive.list("", Optional.empty(), 1));
      assertTrue(e.getMessage().contains(empty.toString()), e.getMessage());
    } finally {
      Files.delete(empty);
    }
  }
}
