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
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program with the S3 plug-in, and a real server. */
@ExtendWith(S3ProxyServer.class)
class S3ShippedTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "TAILWATER_PLUGINS",
          Packaged.built("tailwater.s3.plugins").toString(),
          "AWS_ACCESS_KEY_ID",
          S3Server.ACCESS_KEY,
          "AWS_SECRET_ACCESS_KEY",
          S3Server.SECRET_KEY);

  private final S3Server server;
  @TempDir private Path directory;

  S3ShippedTest(S3Server server) {
    this.server = server;
  }

  private Site site(URI endpoint) throws IOException {
    Site site = new Site(directory);
    site.shipTo(S3Server.uri(endpoint, server.newBucket() + "/archive", Map.of()), ENVIRONMENT);
    return site;
  }

  private static byte[] random(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void shipsAndRestoresAndSendsNothingTwiceEvenWithoutItsState() throws Exception {
    try (FaultyHttpProxy proxy = FaultyHttpProxy.before(server.endpoint());
        Site site = site(proxy.uri())) {
      Files.write(site.log("random"), random(1, 20_000_000));
      Files.write(site.log("small"), random(2, 1));
      Packaged.Run ship = site.shipOnce();
      assertEquals(0, ship.exitCode(), ship.err());
      long puts = proxy.requests().stream().filter(S3ShippedTest::isSegment).count();
      assertEquals(4, puts, "20 MB in segments of 8 MiB, and one small file");
      Files.move(site.base().resolve("state"), site.base().resolve("state.lost"));
      assertEquals(0, site.shipOnce().exitCode());
      assertEquals(
          puts,
          proxy.requests().stream().filter(S3ShippedTest::isSegment).count(),
          "the destination was asked what it has");
      site.restoreAndCompare();
    }
  }

  @Test
  void shipsEverythingWithCredentialsThatMayOnlyCreate() throws Exception {
    try (FaultyHttpProxy proxy = S3Probe.onlyCreating(server.endpoint());
        Site site = site(proxy.uri())) {
      Files.write(site.log("a"), random(1, 20_000));
      for (int run = 0; run < 3; run++) {
        Files.write(site.log("b-" + run), random(run, 1000));
        Packaged.Run ship = site.shipOnce();
        assertEquals(0, ship.exitCode(), ship.err());
      }
      site.restoreAndCompare();
      long removals =
          proxy.requests().stream().filter(request -> request.method().equals("DELETE")).count();
      assertTrue(removals <= 3, "more than one in a run: " + removals);
    }
  }

  private static boolean isSegment(ProxyRequest request) {
    return request.method().equals("PUT") && request.target().contains(".zst");
  }

  @Test
  void nothingIsMissingOrTwiceThoughNetworkServerAndAgentFail() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (FaultyHttpProxy proxy = FaultyHttpProxy.before(server.endpoint());
        Site site = site(proxy.uri())) {
      try (LineWriter writer = new LineWriter(site.log("busy.log"))) {
        for (int i = 0; i < 2; i++) {
          Process agent = site.agent();
          // An agent that never finished a first look has to list the destination when it starts,
          // and ends when it cannot.
          Site.await(
              "the first segment",
              () -> proxy.requests().stream().anyMatch(S3ShippedTest::isSegment));
          proxy.plan(request -> fault(random));
          writer.awaitMore(300);
          site.kill(agent);
        }
        Process agent = site.agent();
        proxy.refuse();
        writer.awaitMore(300);
        proxy.listenAgain();
        writer.finish();
        proxy.plan(request -> new ProxyFault.Forward());
        site.awaitDelivered(site.log("busy.log"));
        site.stop(agent, 0);
      }
      site.restoreAndCompare();
      assertEquals(1, Site.files(site.base().resolve("restored")).size(), "seed " + seed);
      assertFalse(site.messages().contains(S3Server.SECRET_KEY));
    }
  }

  private static ProxyFault fault(Random random) {
    synchronized (random) {
      return switch (random.nextInt(8)) {
        case 0 -> ProxyFault.Answer.s3Error(503, "SlowDown", Map.of());
        case 1 -> ProxyFault.Answer.s3Error(500, "InternalError", Map.of());
        case 2 -> new ProxyFault.LoseAnswer();
        case 3 -> new ProxyFault.ResetInBody(random.nextInt(1000));
        default -> new ProxyFault.Forward();
      };
    }
  }

  @Test
  void checkLooksAtTheOptionsOfThePlugInAndSendsNothing() throws Exception {
    try (FaultyHttpProxy proxy = FaultyHttpProxy.before(server.endpoint());
        Site site = site(proxy.uri())) {
      String good =
          """
          sources: [logs]
          destination:
            uri: s3://absent/web
            endpoint: %s
            region: eu-west-1
          """
              .formatted(proxy.uri());
      Files.writeString(site.base().resolve("good.yaml"), good);
      Packaged.Run accepted = site.tailwater("check", "good.yaml");
      assertEquals(0, accepted.exitCode(), accepted.err());
      Files.writeString(site.base().resolve("bad.yaml"), good.replace("region", "regoin"));
      Packaged.Run refused = site.tailwater("check", "bad.yaml");
      assertEquals(2, refused.exitCode(), refused.err());
      assertTrue(refused.err().contains("bad.yaml:5:3: destination: unknown option regoin"));
      assertTrue(refused.err().contains("Known options are endpoint, region"), refused.err());
      assertEquals(List.of(), proxy.requests());
    }
  }

  @Test
  void anEmptyRegionIsNoRegionWhereThereIsAnEndpoint() throws Exception {
    try (Site site = site(server.endpoint())) {
      Map<String, String> environment = new HashMap<>(ENVIRONMENT);
      environment.put("AWS_REGION", "");
      String uri = S3Server.uri(server.endpoint(), server.newBucket(), Map.of());
      Packaged.Run run =
          Packaged.run(
              site.base(), environment, List.of(Packaged.launcher(), "probe", "--quick", uri));
      assertEquals(0, run.exitCode(), run.err() + run.out());
    }
  }

  @Test
  void aPlugInWithoutOneOfItsJarsIsNamed() throws Exception {
    Path home = directory.resolve("tailwater");
    String base = Packaged.built("tailwater.distribution").toString();
    Path plugin = Packaged.built("tailwater.s3.package");
    for (List<String> command :
        List.of(
            List.of("cp", "-a", base, home.toString()),
            List.of("tar", "xzf", plugin.toString(), "-C", home.toString()),
            List.of("sh", "-c", "rm tailwater/lib/plugins/s3/regions-*.jar"))) {
      assertEquals(0, Packaged.run(directory, Map.of(), command).exitCode());
    }
    String launcher = home.resolve("bin/tailwater").toString();
    String uri = S3Server.uri(server.endpoint(), "bucket", Map.of());
    Map<String, String> classPath =
        Map.of("TAILWATER_JAVA_HOME", QuickCacheJvm.in(directory.resolve("jdk")).toString());
    Map<String, String> loaders =
        Map.of("TAILWATER_PLUGINS", home.resolve("lib/plugins").toString());
    for (Map<String, String> environment : List.of(classPath, loaders)) {
      Packaged.Run run = Packaged.run(directory, environment, List.of(launcher, "ls", uri));
      assertEquals(2, run.exitCode(), run.err());
      assertTrue(
          run.err()
              .startsWith("tailwater: the plug-in for s3: " + home.resolve("lib/plugins/s3") + " "),
          run.err());
      assertTrue(run.err().contains("software/amazon/awssdk/regions/"), run.err());
      assertTrue(run.err().contains("Hint: "), run.err());
      assertFalse(run.err().contains("\tat "), run.err());
    }
  }

  @Test
  void theBaseHasNoSdkAndThePlugInIsUnpackedOverIt() throws Exception {
    Path base = Packaged.built("tailwater.distribution");
    assertFalse(Files.exists(base.resolve("lib/plugins")), "no plug-in is part of the base");
    try (Site site = new Site(directory)) {
      Packaged.Run without = site.tailwater("ls", "s3://bucket");
      assertEquals(2, without.exitCode(), without.err());
      assertTrue(without.err().contains(base.resolve("lib/plugins/s3").toString()), without.err());
      Path home = directory.resolve("tailwater");
      Path plugin = Packaged.built("tailwater.s3.package");
      for (List<String> command :
          List.of(
              List.of("cp", "-a", base.toString(), home.toString()),
              List.of("tar", "xzf", plugin.toString(), "-C", home.toString()))) {
        assertEquals(0, Packaged.run(directory, Map.of(), command).exitCode());
      }
      String uri = S3Server.uri(server.endpoint(), server.newBucket(), Map.of());
      Map<String, String> environment = new HashMap<>(NeededPluginTest.LOGGING);
      environment.put("AWS_ACCESS_KEY_ID", S3Server.ACCESS_KEY);
      environment.put("AWS_SECRET_ACCESS_KEY", S3Server.SECRET_KEY);
      Packaged.Run with =
          Packaged.run(
              directory, environment, List.of(home.resolve("bin/tailwater").toString(), "ls", uri));
      assertEquals(1, with.exitCode(), with.err());
      assertTrue(with.err().startsWith("tailwater: no archive at s3://"), with.err());
      assertEquals(2, with.err().lines().count(), "no warnings of SDK or JVM: " + with.err());
      NeededPluginTest.requireClassesFromACache(directory);
    }
  }
}
