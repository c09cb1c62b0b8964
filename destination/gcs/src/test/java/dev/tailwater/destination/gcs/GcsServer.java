package dev.tailwater.destination.gcs;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.ServerProcess;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** A fake-gcs-server in a process of its own. It takes requests without credentials. */
public final class GcsServer implements AutoCloseable {
  private final ServerProcess server;

  GcsServer(ServerProcess server) {
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

  /** Creates a bucket that nobody else uses. */
  public String newBucket() throws IOException {
    String bucket = "b-" + UUID.randomUUID();
    HttpResponse<String> answer =
        send(
            HttpRequest.newBuilder(endpoint().resolve("/storage/v1/b?project=test"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"" + bucket + "\"}"))
                .build());
    if (answer.statusCode() != 200) {
      throw new IOException(answer.body());
    }
    return bucket;
  }

  /** Returns the attributes of an object, as JSON. */
  String attributes(String bucket, String name) throws IOException {
    String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8);
    URI uri = endpoint().resolve("/storage/v1/b/" + bucket + "/o/" + encoded);
    return send(HttpRequest.newBuilder(uri).build()).body();
  }

  /** Puts an object past the destination. */
  void put(String bucket, String name) throws IOException {
    String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8);
    URI uri =
        endpoint()
            .resolve("/upload/storage/v1/b/" + bucket + "/o?uploadType=media&name=" + encoded);
    var _ =
        send(HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString("x")).build());
  }

  private static HttpResponse<String> send(HttpRequest request) throws IOException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Opens a destination for the bucket at an address, such as that of a proxy. */
  static Destination open(URI endpoint, String bucketAndPrefix, Map<String, String> options)
      throws IOException {
    return Destinations.open(uri(endpoint, bucketAndPrefix, options), OpenIntent.WRITE, context());
  }

  static DestinationContext context() {
    return new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), new Random());
  }

  /** Returns the URI as a user writes it. */
  public static String uri(URI endpoint, String bucketAndPrefix, Map<String, String> options) {
    StringBuilder uri =
        new StringBuilder("gs://" + bucketAndPrefix + "?endpoint=")
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
