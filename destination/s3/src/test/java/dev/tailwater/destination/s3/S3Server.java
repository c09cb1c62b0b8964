package dev.tailwater.destination.s3;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.ServerProcess;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * An S3 server in a process of its own, over an empty directory. The SDK in this JVM gets the
 * credentials from a source of the standard chain, as it does for a user.
 */
public final class S3Server implements AutoCloseable {
  public static final String ACCESS_KEY = "tailwater-test";
  public static final String SECRET_KEY = "a-secret-of-the-test";

  private final ServerProcess server;

  private S3Server(ServerProcess server) {
    this.server = server;
  }

  /** Starts a server; returns when it answers. */
  public static S3Server start(ServerProcess.Kind kind) throws IOException {
    System.setProperty("aws.accessKeyId", ACCESS_KEY);
    System.setProperty("aws.secretAccessKey", SECRET_KEY);
    return new S3Server(ServerProcess.start("s3-server", kind));
  }

  /**
   * Stops the server with SIGSTOP: it keeps its connections, queues new ones, and answers nothing.
   */
  public void stall() throws IOException {
    server.stall();
  }

  /** Resumes the server after {@link #stall}. */
  public void goOn() throws IOException {
    server.goOn();
  }

  /** Kills the server with SIGKILL. */
  public void kill() {
    server.kill();
  }

  /** Starts the server again after {@link #kill}, on the same port and data. */
  public void restart() throws IOException {
    server.restart();
  }

  /** Returns {@code http://127.0.0.1:PORT}. */
  public URI endpoint() {
    return server.endpoint();
  }

  /** Returns the directory in which the server keeps its objects. */
  public Path data() {
    return server.data();
  }

  /** Returns the process, for a test that stops it. */
  Process process() {
    return server.process();
  }

  /** Creates a client with which a test can inspect the bucket. */
  S3Client client() {
    return sdk(endpoint());
  }

  static S3Client sdk(URI endpoint) {
    return S3Client.builder()
        .endpointOverride(endpoint)
        .region(software.amazon.awssdk.regions.Region.US_EAST_1)
        .forcePathStyle(true)
        .build();
  }

  /** Creates a bucket that nobody else uses. */
  public String newBucket() throws IOException {
    String bucket = "b-" + UUID.randomUUID();
    try (S3Client client = client()) {
      client.createBucket(request -> request.bucket(bucket));
    }
    return bucket;
  }

  /** Opens a destination for the bucket on this server. */
  Destination open(String bucketAndPrefix, Map<String, String> options) throws IOException {
    return open(endpoint(), bucketAndPrefix, options);
  }

  /** Opens a destination for the bucket at another address, such as that of a proxy. */
  static Destination open(URI endpoint, String bucketAndPrefix, Map<String, String> options)
      throws IOException {
    return Destinations.open(uri(endpoint, bucketAndPrefix, options), OpenIntent.WRITE, context());
  }

  /** Returns the URI as a user writes it. */
  public static String uri(URI endpoint, String bucketAndPrefix, Map<String, String> options) {
    StringBuilder uri =
        new StringBuilder("s3://" + bucketAndPrefix + "?endpoint=")
            .append(URLEncoder.encode(endpoint.toString(), StandardCharsets.UTF_8));
    options.forEach((name, value) -> uri.append('&').append(name).append('=').append(value));
    return uri.toString();
  }

  static DestinationContext context() {
    return new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), new Random());
  }

  /** Stops the server and removes what it wrote. */
  @Override
  public void close() throws IOException {
    server.close();
  }
}
