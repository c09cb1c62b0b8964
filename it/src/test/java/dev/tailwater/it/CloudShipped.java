package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.testkit.FaultyHttpProxy;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program with a plug-in for an object store, and an emulator of the store. */
abstract class CloudShipped {
  private final String scheme;
  private final Map<String, String> environment;
  private final URI server;
  @TempDir private Path directory;

  /**
   * @param environment of the program, with its plug-ins
   * @param server where the emulator answers
   */
  CloudShipped(String scheme, Map<String, String> environment, URI server) {
    this.scheme = scheme;
    this.environment = environment;
    this.server = server;
  }

  /** Returns the URI of a place that nobody else uses. */
  protected abstract String newPlace(URI endpoint) throws IOException;

  /** Returns a refusal as the store writes it. */
  protected abstract ProxyFault refusal(int status);

  /** Returns whether the request is that of a segment. */
  protected abstract boolean isSegment(ProxyRequest request);

  private Site site(URI endpoint) throws IOException {
    return siteOf(newPlace(endpoint));
  }

  final Site siteOf(String place) throws IOException {
    Site site = new Site(directory);
    site.shipTo(place, environment);
    return site;
  }

  private static byte[] random(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void shipsAndRestoresAndSendsNothingTwiceEvenWithoutItsState() throws Exception {
    try (FaultyHttpProxy proxy = FaultyHttpProxy.before(server);
        Site site = site(proxy.uri())) {
      Files.write(site.log("random"), random(1, 20_000_000));
      Files.write(site.log("small"), random(2, 300));
      Packaged.Run ship = site.shipOnce();
      assertEquals(0, ship.exitCode(), ship.err());
      long large = proxy.requests().stream().filter(r -> r.bodyBytes() > 1 << 20).count();
      assertTrue(large >= 3, "20 MB in segments of 8 MiB: " + large);
      Files.move(site.base().resolve("state"), site.base().resolve("state.lost"));
      assertEquals(0, site.shipOnce().exitCode());
      assertEquals(
          large,
          proxy.requests().stream().filter(r -> r.bodyBytes() > 1 << 20).count(),
          "the destination was asked what it has");
      site.restoreAndCompare();
    }
  }

  @Test
  void nothingIsMissingOrTwiceThoughNetworkServerAndAgentFail() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (FaultyHttpProxy proxy = FaultyHttpProxy.before(server);
        Site site = site(proxy.uri())) {
      try (LineWriter writer = new LineWriter(site.log("busy.log"))) {
        for (int i = 0; i < 2; i++) {
          Process agent = site.agent();
          Site.await(
              "the first segment", () -> proxy.requests().stream().anyMatch(this::isSegment));
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
    }
  }

  private ProxyFault fault(Random random) {
    synchronized (random) {
      return switch (random.nextInt(8)) {
        case 0 -> refusal(503);
        case 1 -> refusal(500);
        case 2 -> new ProxyFault.LoseAnswer();
        case 3 -> new ProxyFault.ResetInBody(random.nextInt(1000));
        default -> new ProxyFault.Forward();
      };
    }
  }

  @Test
  void aProbeFindsThePlaceFitForAnArchive() throws Exception {
    Packaged.Run probe = run("probe", "--quick", newPlace(server));
    assertEquals(0, probe.exitCode(), probe.out() + probe.err());
    assertTrue(probe.out().contains("is fit for an archive"), probe.out());
    assertEquals("", probe.err(), "no warnings of libraries or JVM");
  }

  @Test
  void checkLooksAtTheOptionsOfThePlugInAndSendsNothing() throws Exception {
    try (FaultyHttpProxy proxy = FaultyHttpProxy.before(server)) {
      String uri = newPlace(proxy.uri()).replaceFirst("\\?.*", "");
      String good =
          """
          sources: [logs]
          destination:
            uri: %s
            endpoint: %s
            metadata: team:web
          """
              .formatted(uri, proxy.uri());
      Files.createDirectories(directory.resolve("logs"));
      Files.writeString(directory.resolve("good.yaml"), good);
      Packaged.Run accepted = run("check", "good.yaml");
      assertEquals(0, accepted.exitCode(), accepted.err());
      Files.writeString(directory.resolve("bad.yaml"), good.replace("metadata", "metdata"));
      Packaged.Run refused = run("check", "bad.yaml");
      assertEquals(2, refused.exitCode(), refused.err());
      assertTrue(refused.err().contains("unknown option metdata"), refused.err());
      assertEquals(List.of(), proxy.requests());
    }
  }

  @Test
  void theProgramSaysWhichPackageIsMissing() throws Exception {
    Packaged.Run without = Packaged.tailwater(directory, "ls", newPlace(server));
    assertEquals(2, without.exitCode(), without.err());
    assertTrue(without.err().contains("tailwater-" + scheme), without.err());
    assertFalse(without.err().contains("Exception"), without.err());
  }

  private Packaged.Run run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Packaged.launcher()));
    command.addAll(List.of(arguments));
    return Packaged.run(directory, environment, command);
  }
}
