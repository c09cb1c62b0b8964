package dev.tailwater.destination.azure;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.tailwater.destination.cloud.CloudUri;
import dev.tailwater.destination.cloud.http.HttpAnswer;
import dev.tailwater.destination.cloud.http.HttpFailure;
import dev.tailwater.destination.cloud.http.HttpSender;
import dev.tailwater.destination.cloud.http.MissingCredentialsException;
import dev.tailwater.destination.cloud.http.UriText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The tokens of requests: for a service principal, by workload identity, or by the machine's
 * managed identity. A token is renewed some minutes before it ends, and used until then if that
 * fails. Thread-safe.
 *
 * @see <a
 *     href="https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow">Client
 *     credentials grant</a>
 * @see <a
 *     href="https://learn.microsoft.com/en-us/entra/identity/managed-identities-azure-resources/how-to-use-vm-token">Tokens
 *     of managed identities</a>
 */
final class AzureTokens {
  private static final Duration EARLY = Duration.ofMinutes(5);
  private static final String RESOURCE = "https://storage.azure.com/";
  private static final URI METADATA = URI.create("http://169.254.169.254");
  private static final String AUTHORITY = "https://login.microsoftonline.com";

  /** How long a token is used before it is renewed again, if that has failed. */
  private static final Duration RETRY = Duration.ofSeconds(30);

  /** Statuses that the metadata server has while it starts or is updated. */
  private static final Set<Integer> METADATA_PASSING = Set.of(404, 410);

  /** A moment of both clocks: one may be set, the other may stand still while a machine sleeps. */
  private record Moment(Instant wall, long nanos) {
    Duration since(Moment then) {
      Duration byWall = Duration.between(then.wall, wall);
      Duration byNanos = Duration.ofNanos(nanos - then.nanos);
      return byWall.compareTo(byNanos) > 0 ? byWall : byNanos;
    }
  }

  /**
   * A token.
   *
   * @param use how long it is used before it is renewed
   */
  private record Token(String text, Moment begin, Duration use, Duration life) {
    boolean isDue(Moment now) {
      return now.since(begin).compareTo(use) >= 0;
    }

    boolean isOver(Moment now) {
      return now.since(begin).compareTo(life) >= 0;
    }

    Token renewedAfter(Moment now, Duration delay) {
      return new Token(text, begin, now.since(begin).plus(delay), life);
    }
  }

  private final HttpSender sender;
  private final AzureEnvironment environment;
  private final InstantSource clock;
  private final URI metadata;

  private final LongSupplier nanoClock;

  /** Held while a token server is asked. */
  private final ReentrantLock renewing = new ReentrantLock();

  private final AtomicReference<Optional<Token>> token = new AtomicReference<>(Optional.empty());

  AzureTokens(HttpSender sender, AzureEnvironment environment, InstantSource clock) {
    this(sender, environment, clock, System::nanoTime, METADATA);
  }

  /**
   * @param metadata where the metadata server answers
   */
  AzureTokens(
      HttpSender sender,
      AzureEnvironment environment,
      InstantSource clock,
      LongSupplier nanoClock,
      URI metadata) {
    this.sender = sender;
    this.environment = environment;
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.metadata = metadata;
  }

  /** Returns a token that is valid now; may ask a server for it. */
  String get() throws IOException, InterruptedException {
    Optional<Token> held = Objects.requireNonNull(token.get());
    Moment now = now();
    if (held.isPresent() && !held.get().isDue(now)) {
      return held.get().text();
    }
    if (held.isEmpty() || held.get().isOver(now)) {
      renewing.lockInterruptibly();
    } else if (!renewing.tryLock()) {
      return held.get().text(); // Another thread renews it.
    }
    try {
      return renewed();
    } finally {
      renewing.unlock();
    }
  }

  private String renewed() throws IOException, InterruptedException {
    Optional<Token> held = Objects.requireNonNull(token.get());
    Moment now = now();
    if (held.isPresent() && !held.get().isDue(now)) {
      return held.get().text(); // Another thread has renewed it.
    }
    try {
      Token fresh = ask(now);
      token.set(Optional.of(fresh));
      return fresh.text();
    } catch (IOException | HttpFailure e) {
      Moment failed = now();
      if (held.isEmpty() || held.get().isOver(failed)) {
        throw e;
      }
      Token kept = held.get().renewedAfter(failed, RETRY);
      token.updateAndGet(current -> current.equals(held) ? Optional.of(kept) : current);
      return kept.text();
    }
  }

  /** Forgets a token that the store has refused, so that the next request asks for another. */
  void refused(String text) {
    token.updateAndGet(current -> current.filter(held -> !held.text().equals(text)));
  }

  private Moment now() {
    return new Moment(clock.instant(), nanoClock.getAsLong());
  }

  private Token ask(Moment now) throws IOException, InterruptedException {
    HttpRequest request = request();
    HttpAnswer answer = sender.send(request);
    int status = answer.status();
    boolean ofTheMachine = request.headers().firstValue("Metadata").isPresent();
    if (status >= 500
        || status == 429
        || status == 408
        || (ofTheMachine && METADATA_PASSING.contains(status))) {
      throw new IOException("the token server answers HTTP " + status);
    }
    return parsed(answer, now);
  }

  private HttpRequest request() throws IOException {
    Optional<String> tenant = environment.variable("AZURE_TENANT_ID");
    Optional<String> client = environment.variable("AZURE_CLIENT_ID");
    Optional<String> secret = environment.variable("AZURE_CLIENT_SECRET");
    Optional<String> file = environment.variable("AZURE_FEDERATED_TOKEN_FILE");
    if (tenant.isPresent() && client.isPresent() && (secret.isPresent() || file.isPresent())) {
      Map<String, String> form = new LinkedHashMap<>();
      form.put("grant_type", "client_credentials");
      form.put("client_id", client.get());
      form.put("scope", RESOURCE + ".default");
      if (secret.isPresent()) {
        form.put("client_secret", secret.get());
      } else {
        form.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        form.put("client_assertion", assertion(Path.of(file.orElseThrow())));
      }
      return ofAuthority(tenant.get(), form);
    }
    if (environment.isAzure()) {
      return ofTheMachine(client);
    }
    throw new MissingCredentialsException(
        "no credentials were found (account key, service principal, workload identity, managed"
            + " identity)",
        "Set AZURE_STORAGE_KEY, or AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, or"
            + " give the machine a managed identity; docs/guide/azure.md.");
  }

  private HttpRequest ofAuthority(String tenant, Map<String, String> form) throws IOException {
    String authority = environment.variable("AZURE_AUTHORITY_HOST").orElse(AUTHORITY);
    URI uri;
    try {
      uri =
          URI.create(
              authority.replaceFirst("/+$", "")
                  + "/"
                  + UriText.encoded(tenant)
                  + "/oauth2/v2.0/token");
    } catch (IllegalArgumentException e) {
      throw wrongAuthority();
    }
    if (!"https".equals(uri.getScheme()) && !isLocal(uri)) {
      throw wrongAuthority(); // The secret must not go through a network in the clear.
    }
    return HttpRequest.newBuilder(uri)
        .timeout(sender.limits().question())
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(UriText.query(form).substring(1)))
        .build();
  }

  private static boolean isLocal(URI uri) {
    return "http".equals(uri.getScheme()) && CloudUri.isLoopback(uri);
  }

  private static MissingCredentialsException wrongAuthority() {
    return new MissingCredentialsException(
        "AZURE_AUTHORITY_HOST is not the address of a server",
        "Set it to a URL such as https://login.microsoftonline.com, or leave it out.");
  }

  private static String assertion(Path file) throws IOException {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new MissingCredentialsException(
          "the token in " + file + " (AZURE_FEDERATED_TOKEN_FILE) cannot be read",
          "Mount the token of the service account, and let the agent read it.");
    }
  }

  private HttpRequest ofTheMachine(Optional<String> client) {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("api-version", "2018-02-01");
    query.put("resource", RESOURCE);
    client.ifPresent(id -> query.put("client_id", id));
    return HttpRequest.newBuilder(
            URI.create(metadata + "/metadata/identity/oauth2/token" + UriText.query(query)))
        .timeout(sender.limits().question())
        .header("Metadata", "true")
        .build();
  }

  /** Reads a token; nothing of an answer is ever part of a message, since it may be a secret. */
  private static Token parsed(HttpAnswer answer, Moment now) throws IOException {
    if (!answer.isSuccess()) {
      throw new MissingCredentialsException(
          "the token server refuses the credentials: HTTP " + answer.status(),
          "Check AZURE_TENANT_ID, AZURE_CLIENT_ID and the secret or token, or the machine's managed"
              + " identity.");
    }
    Map<String, String> values = new LinkedHashMap<>();
    try (JsonParser json = new JsonFactory().createParser(answer.text())) {
      while (json.nextToken() != null) {
        if (json.currentToken().isScalarValue() && json.currentName() != null) {
          values.put(json.currentName(), json.getValueAsString(""));
        } else if (json.currentToken() == JsonToken.START_ARRAY) {
          var _ = json.skipChildren();
        }
      }
    } catch (IOException e) {
      throw new IOException("the token server's answer is not JSON");
    }
    String text = values.getOrDefault("access_token", "");
    String seconds = values.getOrDefault("expires_in", "");
    if (!text.matches("[\\x21-\\x7E]+") || !seconds.matches("\\d{1,9}")) {
      throw new IOException("the token server's answer has no token");
    }
    Duration life = Duration.ofSeconds(Long.parseLong(seconds));
    Duration use =
        life.compareTo(EARLY.multipliedBy(2)) > 0 ? life.minus(EARLY) : life.dividedBy(2);
    return new Token(text, now, use, life);
  }
}
