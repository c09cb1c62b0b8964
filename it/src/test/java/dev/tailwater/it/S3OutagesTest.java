package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.destination.s3.S3ProxyServer;
import dev.tailwater.destination.s3.S3Server;
import dev.tailwater.destination.s3.VersityServer;
import dev.tailwater.destination.testkit.FaultyHttpProxy;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import dev.tailwater.posix.testkit.Command;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an S3 server and the way to it can do to a running agent of the packaged program: bytes stay
 * at risk and are reported, delivery goes on by itself, nothing is lost and nothing is there twice.
 */
@ExtendWith(S3ProxyServer.class)
class S3OutagesTest {
  private static final int MEBIBYTE = 1 << 20;

  private final S3Server s3Proxy;
  @TempDir private Path directory;

  S3OutagesTest(S3Server s3Proxy) {
    this.s3Proxy = s3Proxy;
  }

  /** Ships to a new bucket of the server, by that address. */
  private Site site(S3Server server, URI endpoint, Map<String, String> more) throws IOException {
    Map<String, String> environment = new HashMap<>();
    environment.put("TAILWATER_PLUGINS", Packaged.built("tailwater.s3.plugins").toString());
    environment.put("AWS_ACCESS_KEY_ID", S3Server.ACCESS_KEY);
    environment.put("AWS_SECRET_ACCESS_KEY", S3Server.SECRET_KEY);
    environment.putAll(more);
    Site site = new Site(directory);
    String bucket = server.newBucket();
    site.shipTo(S3Server.uri(endpoint, bucket + "/archive", Map.of()), environment);
    return site;
  }

  private static byte[] random(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static Path append(Site site, String text) throws IOException {
    return Files.writeString(
        site.log("app.log"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static void restoreAndRequireNothingTwice(Site site, URI endpoint) throws Exception {
    // The end of an agent has 5 s to remove what a merged segment replaces; a start does the rest.
    assertEquals(0, site.shipOnce().exitCode());
    site.restoreAndCompare();
    Outage.requireNothingTwice(S3Probe.keys(endpoint, site.destination()));
    assertFalse(site.messages().contains(S3Server.SECRET_KEY));
  }

  @Test
  void aServerThatStallsAndIsKilledAndComesBackHasEverythingOnce() throws Exception {
    try (S3Server server = VersityServer.own();
        Site site = site(server, server.endpoint(), Map.of());
        LineWriter writer = new LineWriter(site.log("busy.log"))) {
      Outage outage = new Outage(site);
      Process agent = site.agent();
      site.awaitDelivered(append(site, "before\n"));
      server.stall();
      // More than the heap and all staging buffers together.
      Path big = site.log("big");
      for (int i = 0; i < 24; i++) {
        Files.write(
            big, random(i, 8 * MEBIBYTE), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
      outage.awaitAtRisk(150L * MEBIBYTE);
      server.goOn();
      site.awaitDelivered(big);
      server.kill();
      append(site, "while it is away\n");
      outage.awaitReported("Nothing answers there");
      writer.awaitMore(200);
      server.restart();
      outage.awaitHealed(append(site, "after\n"));
      writer.finish();
      Outage.requireBoundedMemory(agent);
      site.stop(agent, 0);
      restoreAndRequireNothingTwice(site, server.endpoint());
    }
  }

  @Test
  void eachFaultOfTheWayAndTheServerIsReportedAndPasses() throws Exception {
    Path hosts = Files.createFile(directory.resolve("hosts"));
    Path credentials = directory.resolve("credentials");
    writeCredentials(credentials, "not-the-secret", "");
    try (FaultyHttpProxy proxy = FaultyHttpProxy.before(s3Proxy.endpoint());
        Site site =
            site(
                s3Proxy,
                URI.create("http://s3.test:" + proxy.uri().getPort()),
                Map.of(
                    "AWS_ACCESS_KEY_ID",
                    "",
                    "AWS_SECRET_ACCESS_KEY",
                    "",
                    "AWS_SHARED_CREDENTIALS_FILE",
                    credentials.toString(),
                    "TAILWATER_JAVA_OPTS",
                    "-Djdk.net.hosts.file=" + hosts))) {
      Outage outage = new Outage(site);
      Path log = append(site, "first\n");
      Process agent = site.agent();

      outage.awaitReported("unknown host: s3.test");
      Files.writeString(hosts, "127.0.0.1 s3.test\n");

      outage.awaitReported("SignatureDoesNotMatch");
      writeCredentials(credentials, S3Server.SECRET_KEY, "");
      outage.awaitHealed(log);

      for (Refusal refusal : someRefusals()) {
        requireReportedAndHealed(site, proxy, refusal.words(), refusal.fault());
      }

      proxy.refuse();
      append(site, "refused\n");
      outage.awaitReported("Nothing answers there");
      proxy.listenAgain();
      outage.awaitHealed(log);
      requireExpiredCredentialsAreReadAnew(site, proxy, credentials);

      site.stop(agent, 0);
      restoreAndRequireNothingTwice(site, s3Proxy.endpoint());
    }
  }

  private record Refusal(String words, Function<ProxyRequest, ProxyFault> fault) {}

  /** Two of six, each time others, since each takes its time to heal; all in the long run. */
  private static List<Refusal> someRefusals() {
    List<Refusal> all =
        new ArrayList<>(
            List.of(
                answer("s3:PutObject", 403, "AccessDenied"),
                answer("clock", 403, "RequestTimeTooSkewed"),
                answer("is full", 507, "XMinioStorageFull"),
                answer("SlowDown", 503, "SlowDown"),
                answer("InternalError", 500, "InternalError"),
                new Refusal("network or the server failed", loseOrReset())));
    long seed = Long.getLong("tailwater.seed", System.nanoTime());
    System.out.println("refusals in the order of -Dtailwater.seed=" + seed);
    Collections.shuffle(all, new Random(seed));
    return Boolean.getBoolean("tailwater.soak") ? all : all.subList(0, 2);
  }

  private static Refusal answer(String words, int status, String code) {
    ProxyFault fault = ProxyFault.Answer.s3Error(status, code, Map.of());
    return new Refusal(words, request -> fault);
  }

  /** Connections that are reset in a body or instead of an answer, in turn. */
  private static Function<ProxyRequest, ProxyFault> loseOrReset() {
    AtomicInteger number = new AtomicInteger();
    return request ->
        number.getAndIncrement() % 2 == 0
            ? new ProxyFault.ResetInBody(20)
            : new ProxyFault.LoseAnswer();
  }

  private static void requireReportedAndHealed(
      Site site, FaultyHttpProxy proxy, String words, Function<ProxyRequest, ProxyFault> fault)
      throws Exception {
    Outage outage = new Outage(site);
    proxy.plan(
        request ->
            request.method().equals("PUT") ? fault.apply(request) : new ProxyFault.Forward());
    Path log = append(site, words + "\n");
    outage.awaitReported(words);
    proxy.plan(request -> new ProxyFault.Forward());
    outage.awaitHealed(log);
  }

  /** As a program does that renews them: by another file with the same name. */
  private static void writeCredentials(Path file, String secret, String token) throws IOException {
    Path fresh = file.resolveSibling("credentials.new");
    Files.writeString(
        fresh,
        "[default]\naws_access_key_id = "
            + S3Server.ACCESS_KEY
            + "\naws_secret_access_key = "
            + secret
            + (token.isEmpty() ? "" : "\naws_session_token = " + token)
            + "\n");
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Credentials of a session, which are over, and then others in the same file. */
  private static void requireExpiredCredentialsAreReadAnew(
      Site site, FaultyHttpProxy proxy, Path credentials) throws Exception {
    proxy.plan(
        request ->
            request.header("x-amz-security-token").isPresent()
                ? ProxyFault.Answer.s3Error(400, "ExpiredToken", Map.of())
                : new ProxyFault.Forward());
    writeCredentials(credentials, S3Server.SECRET_KEY, "a-session-that-is-over");
    try (LineWriter writer = new LineWriter(site.log("session.log"))) {
      new Outage(site).awaitReported("ExpiredToken");
      writeCredentials(credentials, S3Server.SECRET_KEY, "");
      writer.finish();
    }
    new Outage(site).awaitHealed(site.log("session.log"));
  }

  @Test
  void aServerWhoseDiskIsFullIsReportedAndGoesOnWhenThereIsSpace() throws Exception {
    Outage.assumeLongRun();
    try (MountedFileSystem disk = TestFileSystems.tmpfs(24L * MEBIBYTE);
        S3Server server = VersityServer.own(disk.root());
        Site site = site(server, server.endpoint(), Map.of())) {
      Outage outage = new Outage(site);
      Process agent = site.agent();
      Path big = Files.write(site.log("big"), random(1, 40 * MEBIBYTE));
      outage.awaitReported("\"message\":");
      Command.run(List.of("mount", "-o", "remount,size=100m", disk.root().toString()))
          .requireSuccess();
      outage.awaitHealed(big);
      Outage.requireBoundedMemory(agent);
      site.stop(agent, 0);
      restoreAndRequireNothingTwice(site, server.endpoint());
      server.kill();
    }
  }

  @Test
  void aClockThatGoesWrongIsReportedAndDeliveryGoesOnWhenItIsRight() throws Exception {
    Outage.assumeLongRun();
    Optional<Path> library = clockLibrary();
    assumeTrue(library.isPresent(), "libfaketime is not installed (Debian: libfaketime)");
    Path clock = Files.writeString(directory.resolve("clock"), "+0");
    try (S3Server server = VersityServer.own();
        Site site =
            site(
                server,
                server.endpoint(),
                Map.of(
                    "LD_PRELOAD",
                    library.orElseThrow().toString(),
                    "FAKETIME_TIMESTAMP_FILE",
                    clock.toString(),
                    "FAKETIME_NO_CACHE",
                    "1",
                    "FAKETIME_DONT_FAKE_MONOTONIC",
                    "1"))) {
      Outage outage = new Outage(site);
      Process agent = site.agent();
      site.awaitDelivered(append(site, "in time\n"));
      Files.writeString(clock, "+1h");
      append(site, "an hour early\n");
      outage.awaitReported("RequestTimeTooSkewed");
      Files.writeString(clock, "+0");
      outage.awaitHealed(append(site, "in time again\n"));
      site.stop(agent, 0);
      restoreAndRequireNothingTwice(site, server.endpoint());
    }
  }

  /** Makes a program that is linked to the C library see another time. */
  private static Optional<Path> clockLibrary() {
    return Stream.of("x86_64-linux-gnu", "aarch64-linux-gnu")
        .map(architecture -> Path.of("/usr/lib", architecture, "faketime", "libfaketimeMT.so.1"))
        .filter(Files::exists)
        .findFirst();
  }
}
