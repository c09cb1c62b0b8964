package dev.tailwater.destination.azure;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.list.ListedEntries;
import dev.tailwater.destination.testkit.ServerProcess;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/** An Azurite in a process of its own. */
public final class AzureServer implements AutoCloseable {
  /** The account of the emulator and its key, which everybody knows. */
  public static final String ACCOUNT = "devstoreaccount1";

  public static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private final ServerProcess server;

  AzureServer(ServerProcess server) {
    this.server = server;
  }

  /** Returns the process. */
  public ServerProcess process() {
    return server;
  }

  /** Returns {@code http://127.0.0.1:PORT}. */
  public URI endpoint() {
    return server.endpoint();
  }

  /** Creates a container that nobody else uses. */
  public String newContainer() throws IOException {
    String container = "c-" + UUID.randomUUID();
    put("/" + container, Map.of("restype", "container"), Map.of(), 201);
    return container;
  }

  /** Moves all blobs below a prefix to the archive tier, as a rule for old ones does. */
  public void archiveAll(String container, String prefix) throws IOException {
    URI uri = URI.create(uri(endpoint(), container + "/" + prefix, Map.of()));
    try (Destination place = open(uri, TimeLimits.STANDARD)) {
      ListedEntries all = new ListedEntries(place, "");
      for (Optional<Entry> next = all.next(); next.isPresent(); next = all.next()) {
        archive(container, prefix + "/" + next.get().key());
      }
    }
  }

  /** Moves a blob to the archive tier, from which nobody can read it at once. */
  void archive(String container, String name) throws IOException {
    String path = "/" + container + "/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    put(path, Map.of("comp", "tier"), Map.of("x-ms-access-tier", "Archive"), 200);
  }

  private void put(
      String pathOfAccount, Map<String, String> query, Map<String, String> more, int expected)
      throws IOException {
    String path = "/" + ACCOUNT + pathOfAccount.replace("%2F", "/");
    Map<String, String> headers = new TreeMap<>(more);
    headers.put(
        "x-ms-date",
        DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .format(ZonedDateTime.now(ZoneOffset.UTC)));
    headers.put("x-ms-version", "2025-11-05");
    Map.Entry<String, String> only = query.entrySet().iterator().next();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                endpoint().resolve(path + "?" + only.getKey() + "=" + only.getValue()))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .header(
                "Authorization",
                SharedKey.of(ACCOUNT, KEY).authorization("PUT", headers, path, query));
    headers.forEach(request::header);
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != expected) {
        throw new IOException(answer.statusCode() + " " + answer.body());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Opens a destination with the emulator's key. */
  static Destination open(URI uri, TimeLimits limits) throws IOException {
    return open(uri, limits, Map.of("AZURE_STORAGE_KEY", KEY));
  }

  static Destination open(URI uri, TimeLimits limits, Map<String, String> variables)
      throws IOException {
    DestinationContext context =
        new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), new Random());
    return AzureProvider.open(
        AzurePlace.parse(uri), OpenIntent.WRITE, limits, environment(variables), context);
  }

  static AzureEnvironment environment(Map<String, String> variables) {
    return new AzureEnvironment(
        name -> Optional.ofNullable(variables.get(name)), Path.of("/absent"));
  }

  /** Returns the URI as a user writes it. */
  public static String uri(URI endpoint, String containerAndPrefix, Map<String, String> options) {
    StringBuilder uri =
        new StringBuilder("az://" + ACCOUNT + "/" + containerAndPrefix + "?endpoint=")
            .append(URLEncoder.encode(endpoint.toString(), StandardCharsets.UTF_8));
    options.forEach((name, value) -> uri.append('&').append(name).append('=').append(value));
    return uri.toString();
  }

  /** Stops the server and removes what it wrote. */
  @Override
  public void close() throws IOException {
    server.close();
  }
}
