package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.s3.S3ProxyServer;
import dev.tailwater.destination.s3.S3Server;
import dev.tailwater.destination.testkit.FaultyHttpProxy;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import dev.tailwater.posix.testkit.Signals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
    try (FaultyHttpProxy proxy = FaultyHttpProxy.before(server.endpoint())) {
      String uri = bucket(proxy);
      // It cannot go on, so it cannot end before the signal comes.
      proxy.plan(request -> isRead(request) ? new ProxyFault.Stall() : new ProxyFault.Forward());
      Process process = start(uri);
      try {
        await(process, () -> proxy.requests().stream().anyMatch(ProbeShippedTest::isRead));
        assertNotEquals(List.of(), S3Probe.keys(server.endpoint(), uri));
        Signals.send("INT", process.toHandle());
        requireStopped(process);
      } finally {
        process.destroyForcibly();
      }
      assertEquals(List.of(), S3Probe.keys(server.endpoint(), uri));
    }
  }

  /** Whether it asks for an object. Lists name the bucket only. */
  private static boolean isRead(ProxyRequest request) {
    return request.method().equals("GET") && request.target().contains("/tailwater-probe-");
  }

  private Process start(String destination) throws IOException {
    // Who starts the tests in the background of a script has SIGINT ignored, and so has each child.
    ProcessBuilder builder =
        new ProcessBuilder(
            "env", "--default-signal=INT", Packaged.launcher(), "probe", destination);
    builder.environment().putAll(S3Probe.environment(S3Server.ACCESS_KEY, S3Server.SECRET_KEY));
    return builder
        .redirectOutput(directory.resolve("out.txt").toFile())
        .redirectError(directory.resolve("err.txt").toFile())
        .start();
  }

  private String err() {
    return Packaged.text(directory.resolve("err.txt"));
  }

  private void await(Process process, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.call()) {
      assertTrue(System.nanoTime() - deadline < 0, () -> "waited in vain: " + err());
      assertTrue(process.isAlive(), () -> "it ended by itself: " + err());
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }

  private void requireStopped(Process process) throws InterruptedException {
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "it does not end");
    assertEquals(130, process.exitValue(), this::err);
    assertEquals("tailwater: stopped; what the probe wrote is removed\n", err());
    assertEquals("", Packaged.text(directory.resolve("out.txt")));
  }
}
