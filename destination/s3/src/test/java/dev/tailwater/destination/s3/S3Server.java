package dev.tailwater.destination.s3;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Signals;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * An S3 server in a process of its own, over an empty directory. The SDK in this JVM gets the
 * credentials from a source of the standard chain, as it does for a user.
 */
public final class S3Server implements AutoCloseable {
  public static final String ACCESS_KEY = "tailwater-test";
  public static final String SECRET_KEY = "a-secret-of-the-test";
  private static final long START_SECONDS = 60;

  private final Kind kind;
  private final Path directory;
  private final int port;
  private Process process;

  private S3Server(Kind kind, Path directory, int port) throws IOException {
    this.kind = kind;
    this.directory = directory;
    this.port = port;
    this.process = launch();
  }

  /** A function that creates the command line of a server. */
  public interface Kind {
    ProcessBuilder command(Path directory, int port) throws IOException;
  }

  /** Starts a server; returns when it answers. */
  public static S3Server start(Kind kind) throws IOException {
    System.setProperty("aws.accessKeyId", ACCESS_KEY);
    System.setProperty("aws.secretAccessKey", SECRET_KEY);
    Path directory = Files.createTempDirectory("s3-server");
    Files.createDirectory(directory.resolve("data"));
    S3Server server = new S3Server(kind, directory, freePort());
    server.awaitAnswer();
    return server;
  }

  private Process launch() throws IOException {
    return kind.command(data(), port)
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(log().toFile()))
        .start();
  }

  private Path log() {
    return directory.resolve("log");
  }

  private void awaitAnswer() throws IOException {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() - deadlineNanos > 0) {
        String said = Files.readString(log());
        close();
        throw new IOException("the server does not start: " + said);
      }
      Thread.onSpinWait();
    }
  }

  /**
   * Stops the server with SIGSTOP: it keeps its connections, queues new ones, and answers nothing.
   */
  public void stall() throws IOException {
    Signals.send("STOP", process.toHandle());
  }

  /** Resumes the server after {@link #stall}. */
  public void goOn() throws IOException {
    Signals.send("CONT", process.toHandle());
  }

  /** Kills the server with SIGKILL. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Starts the server again after {@link #kill}, on the same port and data. */
  public void restart() throws IOException {
    process = launch();
    awaitAnswer();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Returns whether the server speaks HTTP; it may already listen before it is ready. */
  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(2000);
      socket
          .getOutputStream()
          .write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
      return socket.getInputStream().read() == 'H';
    } catch (IOException e) {
      try {
        TimeUnit.MILLISECONDS.sleep(50);
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
      }
      return false;
    }
  }

  /** Returns {@code http://127.0.0.1:PORT}. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Returns the directory in which the server keeps its objects. */
  public Path data() {
    return directory.resolve("data");
  }

  /** Returns the process, for a test that stops it. */
  Process process() {
    return process;
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
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
