package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.s3.S3ProxyServer;
import dev.tailwater.destination.s3.S3Server;
import dev.tailwater.destination.testkit.FaultyHttpProxy;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code tailwater probe} as it is packaged, on a directory and on a real S3 server. */
@ExtendWith(S3ProxyServer.class)
class ProbeShippedTest {
  private static final long PATIENCE_SECONDS = 120;

  private final S3Server server;
  @TempDir private Path directory;

  ProbeShippedTest(S3Server server) {
    this.server = server;
  }

  private Packaged.Run probe(String... arguments) throws Exception {
    return S3Probe.run(directory, S3Server.ACCESS_KEY, S3Server.SECRET_KEY, arguments);
  }

  private String bucket(FaultyHttpProxy proxy) throws IOException {
    return S3Server.uri(proxy.uri(), server.newBucket() + "/team/archive", Map.of());
  }

  @Test
  void findsABucketFitButForWhatIsHarmlessAndLeavesNothingInIt() throws Exception {
    try (FaultyHttpProxy proxy = FaultyHttpProxy.before(server.endpoint())) {
      String uri = bucket(proxy);
      Packaged.Run run = probe(uri, "--throughput", "32MiB");
      assertEquals(0, run.exitCode(), run.out() + run.err());
      assertTrue(run.out().contains("NOTE  list: orders whole keys"), run.out());
      assertTrue(run.out().contains("names in an archive are ASCII"), run.out());
      assertTrue(run.out().contains("and all of it is removed."), run.out());
      assertTrue(run.out().endsWith(" is fit for an archive\n"), run.out());
      assertTrue(put(proxy).allMatch(key -> key.contains("/team/archive/tailwater-probe-")));
      assertEquals(List.of(), S3Probe.keys(server.endpoint(), uri));
    }
  }

  private static Stream<String> put(FaultyHttpProxy proxy) {
    return proxy.requests().stream()
        .filter(request -> request.method().equals("PUT"))
        .map(ProxyRequest::target);
  }

  @Test
  void namesTheActionThatIsMissingAndWhatItLeaves() throws Exception {
    try (FaultyHttpProxy proxy = FaultyHttpProxy.before(server.endpoint())) {
      String uri = bucket(proxy);
      deny(proxy, request -> request.method().equals("DELETE"));
      Packaged.Run run = probe(uri, "--quick", "--json");
      assertEquals(3, run.exitCode(), run.out() + run.err());
      assertTrue(run.out().contains("Allow s3:DeleteObject on the prefix"), run.out());
      assertTrue(run.out().contains("\"fitness\": \"limited\""), run.out());
      assertTrue(run.out().contains("\"removedAll\": false"), run.out());
      List<String> left = S3Probe.keys(server.endpoint(), uri);
      assertFalse(left.isEmpty());
      for (String key : left) {
        String named = key.substring("team/archive/".length());
        // JSON writes what is not ASCII in one way or another.
        if (named.chars().allMatch(c -> c < 128)) {
          assertTrue(run.out().contains(named), () -> named + " is left and not named");
        }
      }
    }
  }

  @Test
  void namesTheActionsForReadingAndListing() throws Exception {
    try (FaultyHttpProxy proxy = FaultyHttpProxy.before(server.endpoint())) {
      String uri = bucket(proxy);
      deny(proxy, request -> request.method().equals("GET"));
      Packaged.Run run = probe(uri, "--quick");
      assertEquals(3, run.exitCode(), run.out() + run.err());
      assertTrue(run.out().contains("Allow s3:ListBucket on the bucket"), run.out());
      assertTrue(run.out().contains("Allow s3:GetObject on the prefix"), run.out());
      assertTrue(run.out().contains("verify, cat and restore do not"), run.out());
    }
  }

  private static void deny(FaultyHttpProxy proxy, Predicate<ProxyRequest> which) {
    proxy.plan(
        request ->
            which.test(request)
                ? ProxyFault.Answer.s3Error(403, "AccessDenied", Map.of())
                : new ProxyFault.Forward());
  }

  @Test
  void saysThatNothingAnswers() throws Exception {
    FaultyHttpProxy proxy = FaultyHttpProxy.before(server.endpoint());
    String uri = bucket(proxy);
    proxy.close();
    Packaged.Run run = probe(uri);
    assertEquals(1, run.exitCode(), run.out() + run.err());
    assertTrue(run.out().contains("Nothing answers there"), run.out());
    assertTrue(run.out().endsWith(" could not be used at all: see above\n"), run.out());
  }

  @Test
  void saysThatTheBucketIsNotThere() throws Exception {
    String uri = S3Server.uri(server.endpoint(), "no-such-bucket/archive", Map.of());
    Packaged.Run run = probe(uri);
    assertEquals(1, run.exitCode(), run.out() + run.err());
    assertTrue(run.out().contains("Create the bucket"), run.out());
    assertFalse(run.out().contains("were made below"), run.out());
  }

  @Test
  void removesWhatItWroteWhenItIsInterrupted() throws Exception {
    Path archive = directory.resolve("archive");
    Path err = directory.resolve("err.txt");
    List<String> command =
        new ArrayList<>(List.of(Packaged.launcher(), "probe", archive.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(directory.resolve("out.txt").toFile())
            .redirectError(err.toFile())
            .start();
    try {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (checks(archive) < 2) {
        assertTrue(System.nanoTime() - deadline < 0, () -> "no objects: " + Packaged.text(err));
        assertTrue(process.isAlive(), () -> "it ended by itself: " + Packaged.text(err));
        TimeUnit.MILLISECONDS.sleep(2);
      }
      assertEquals(0, new ProcessBuilder("kill", "-INT", "" + process.pid()).start().waitFor());
      assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "it does not end");
    } finally {
      process.destroyForcibly();
    }
    assertEquals(130, process.exitValue(), () -> Packaged.text(err));
    assertEquals("tailwater: stopped; what the probe wrote is removed\n", Packaged.text(err));
    assertEquals("", Packaged.text(directory.resolve("out.txt")));
    try (Stream<Path> left = Files.list(archive)) {
      assertEquals(List.of(archive.resolve(".tailwater-tmp")), left.toList());
    }
  }

  /** The places of checks that it has opened. */
  private static long checks(Path archive) throws IOException {
    if (!Files.exists(archive)) {
      return 0;
    }
    try (Stream<Path> paths = Files.find(archive, 2, (path, _) -> true)) {
      return paths.filter(path -> path.getFileName().toString().startsWith("check-")).count();
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof NoSuchFileException) {
        return 0; // The probe has just removed what was met: the next look counts.
      }
      throw e;
    }
  }
}
