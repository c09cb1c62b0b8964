package dev.tailwater.destination.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.cloud.http.HttpFailure;
import dev.tailwater.destination.cloud.http.HttpSender;
import dev.tailwater.destination.cloud.http.MissingCredentialsException;
import dev.tailwater.destination.testkit.HostileServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of where tokens come from, and when they are renewed. */
class AzureTokensTest {
  private static final URI NOWHERE = URI.create("http://127.0.0.1:1");

  @TempDir private Path root;
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger status = new AtomicInteger(200);
  private final List<String> targets = Collections.synchronizedList(new ArrayList<>());

  private HostileServer server(int status, String body) throws IOException {
    return new HostileServer(
        (target, out) -> {
          targets.add(target);
          out.head(status, "Content-Length: " + body.length()).text(body);
        });
  }

  private HostileServer server() throws IOException {
    return server(
        200, "{\"token_type\":\"Bearer\",\"expires_in\":3600,\"access_token\":\"t0ken\"}");
  }

  private AzureTokens tokens(Map<String, String> variables, URI metadata) {
    return new AzureTokens(
        HttpSender.open(TimeLimits.STANDARD),
        new AzureEnvironment(name -> Optional.ofNullable(variables.get(name)), root),
        now::get,
        nanos::get,
        metadata);
  }

  private Map<String, String> principal(URI authority) {
    return new HashMap<>(
        Map.of(
            "AZURE_TENANT_ID",
            "tenant",
            "AZURE_CLIENT_ID",
            "client",
            "AZURE_CLIENT_SECRET",
            "Se3ret",
            "AZURE_AUTHORITY_HOST",
            authority.toString()));
  }

  @Test
  void aServicePrincipalGetsATokenAndRenewsItBeforeItEnds() throws Exception {
    try (HostileServer server = server()) {
      AzureTokens tokens = tokens(principal(server.uri()), NOWHERE);
      assertEquals("t0ken", tokens.get());
      now.set(Instant.EPOCH.plus(Duration.ofMinutes(54)));
      assertEquals("t0ken", tokens.get());
      assertEquals(List.of("/tenant/oauth2/v2.0/token"), targets);
      now.set(Instant.EPOCH.plus(Duration.ofMinutes(55)));
      assertEquals("t0ken", tokens.get());
      assertEquals(2, targets.size());
    }
  }

  @Test
  void aWorkloadsTokenIsReadAnewEachTime() throws Exception {
    try (HostileServer server = server()) {
      Map<String, String> variables = principal(server.uri());
      variables.remove("AZURE_CLIENT_SECRET");
      Path file = root.resolve("token");
      variables.put("AZURE_FEDERATED_TOKEN_FILE", file.toString());
      AzureTokens tokens = tokens(variables, NOWHERE);
      MissingCredentialsException e = assertThrows(MissingCredentialsException.class, tokens::get);
      assertTrue(String.valueOf(e.getMessage()).contains(file.toString()), e.getMessage());
      Files.writeString(file, "assertion\n");
      assertEquals("t0ken", tokens.get());
    }
  }

  @Test
  void aMachineIsAskedOnlyWhereTheFirmwareNamesAzure() throws Exception {
    try (HostileServer server = server()) {
      assertThrows(MissingCredentialsException.class, () -> tokens(Map.of(), server.uri()).get());
      assertEquals(List.of(), targets);
      Path chassis = root.resolve("sys/class/dmi/id/chassis_asset_tag");
      Files.createDirectories(chassis.getParent());
      Files.writeString(chassis, "7783-7084-3265-9085-8269-3286-77\n");
      assertEquals("t0ken", tokens(Map.of("AZURE_CLIENT_ID", "me"), server.uri()).get());
      assertTrue(targets.getFirst().startsWith("/metadata/identity/oauth2/token?"));
      assertTrue(targets.getFirst().contains("client_id=me"), targets.getFirst());
    }
  }

  @Test
  void nothingOfAnAnswerOrASecretIsInAMessage() throws Exception {
    for (int status : new int[] {200, 400, 401, 500}) {
      for (String body : List.of("Se3ret", "{\"access_token\": \"Se3ret\n\"}", "{\"Se3ret\":")) {
        try (HostileServer server = server(status, body)) {
          IOException e =
              assertThrows(IOException.class, () -> tokens(principal(server.uri()), NOWHERE).get());
          assertFalse(String.valueOf(e.getMessage()).contains("Se3ret"), e.getMessage());
          assertEquals(status / 100 == 4, e instanceof MissingCredentialsException);
        }
      }
    }
  }

  @Test
  void aSecretIsNotSentThroughANetworkInTheClear() {
    AzureTokens tokens = tokens(principal(URI.create("http://login.example.com")), NOWHERE);
    assertThrows(MissingCredentialsException.class, tokens::get);
  }

  /** A server whose status a test sets, and which numbers its tokens. */
  private HostileServer numbered() throws IOException {
    return new HostileServer(
        (target, out) -> {
          if (!target.contains("/oauth2/")) {
            out.head(401, "Content-Length: 0");
            return;
          }
          targets.add(target);
          String body = "{\"expires_in\":3600,\"access_token\":\"t%d\"}".formatted(targets.size());
          out.head(status.get(), "Content-Length: " + body.length()).text(body);
        });
  }

  @Test
  void aTokenIsUsedUntilItEndsIfItCannotBeRenewed() throws Exception {
    try (HostileServer server = numbered()) {
      AzureTokens tokens = tokens(principal(server.uri()), NOWHERE);
      assertEquals("t1", tokens.get());
      for (int failure : new int[] {500, 401}) {
        status.set(failure);
        now.updateAndGet(time -> time.plus(Duration.ofMinutes(failure == 500 ? 55 : 1)));
        int before = targets.size();
        assertEquals("t1", tokens.get());
        assertEquals("t1", tokens.get());
        assertEquals(before + 1, targets.size(), "it is not asked for with each request");
      }
      now.set(Instant.EPOCH.plus(Duration.ofMinutes(60)));
      assertThrows(MissingCredentialsException.class, tokens::get);
      status.set(200);
      assertEquals("t" + (targets.size() + 1), tokens.get());
    }
  }

  @Test
  void aClockThatIsSetBackKeepsNoTokenTooLong() throws Exception {
    try (HostileServer server = numbered()) {
      AzureTokens tokens = tokens(principal(server.uri()), NOWHERE);
      assertEquals("t1", tokens.get());
      now.set(Instant.EPOCH.minus(Duration.ofDays(1)));
      assertEquals("t1", tokens.get());
      nanos.set(Duration.ofMinutes(55).toNanos());
      assertEquals("t2", tokens.get());
    }
  }

  @Test
  void aTokenThatTheStoreRefusesIsAskedForAnew() throws Exception {
    try (HostileServer server = numbered();
        HttpSender sender = HttpSender.open(TimeLimits.STANDARD)) {
      AzureTokens tokens = tokens(principal(server.uri()), NOWHERE);
      AzurePlace anywhere = AzurePlace.parse(URI.create("az://account/container/archive"));
      AzureEnvironment environment = new AzureEnvironment(name -> Optional.empty(), root);
      AzurePlace here =
          AzurePlace.parse(
              URI.create(AzureServer.uri(server.uri(), "container/archive", Map.of())));
      try (AzureRequests requests =
          new AzureRequests(
              sender, here, new AzureCredentials(anywhere, environment, tokens), now::get)) {
        assertEquals("t1", tokens.get());
        assertThrows(HttpFailure.class, () -> requests.delete("a"));
        assertEquals("t2", tokens.get());
        assertThrows(HttpFailure.class, () -> requests.get("a", Optional.empty()));
        assertEquals("t3", tokens.get());
        assertThrows(HttpFailure.class, () -> requests.exists("a"));
        tokens.refused("t3");
        assertEquals("t4", tokens.get());
        tokens.refused("t3");
        assertEquals("t4", tokens.get(), "another one was refused");
      }
    }
  }

  @Test
  void aMetadataServerThatIsNotReadyIsAskedAgain() throws Exception {
    Path chassis = root.resolve("sys/class/dmi/id/chassis_asset_tag");
    Files.createDirectories(chassis.getParent());
    Files.writeString(chassis, "7783-7084-3265-9085-8269-3286-77\n");
    for (int passing : new int[] {404, 408, 410, 429, 503}) {
      try (HostileServer server = server(passing, "")) {
        IOException e = assertThrows(IOException.class, () -> tokens(Map.of(), server.uri()).get());
        assertFalse(e instanceof MissingCredentialsException, e.getMessage());
      }
    }
  }

  @Test
  void whoeverWaitsForATokenCanBeInterrupted() throws Exception {
    try (HostileServer server =
        new HostileServer(
            (target, out) -> {
              targets.add(target);
              out.silence();
            })) {
      AzureTokens tokens = tokens(principal(server.uri()), NOWHERE);
      Thread first = Thread.ofVirtual().start(new FutureTask<>(tokens::get));
      while (targets.isEmpty()) {
        Thread.onSpinWait();
      }
      FutureTask<String> waiting = new FutureTask<>(tokens::get);
      Thread second = Thread.ofPlatform().start(waiting);
      second.interrupt();
      assertTrue(second.join(Duration.ofSeconds(10)));
      ExecutionException e = assertThrows(ExecutionException.class, waiting::get);
      assertInstanceOf(InterruptedException.class, e.getCause());
      assertEquals(1, targets.size());
      first.interrupt();
      first.join();
    }
  }
}
