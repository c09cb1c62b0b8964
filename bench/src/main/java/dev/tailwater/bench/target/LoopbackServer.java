package dev.tailwater.bench.target;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server program on loopback, on the PATH or in {@code ~/go/bin}, as a process of its own. */
final class LoopbackServer implements AutoCloseable {
  private static final long START_SECONDS = 30;

  private final Process process;
  private final int port;

  private LoopbackServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts the server, and returns when it answers.
   *
   * @param log of what it prints
   */
  static LoopbackServer start(ProcessBuilder builder, int port, Path log) throws IOException {
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    LoopbackServer server = new LoopbackServer(process, port);
    try {
      server.awaitAnswer(log);
      return server;
    } catch (IOException | InterruptedException e) {
      server.close();
      throw e instanceof IOException failure ? failure : new IOException("interrupted", e);
    }
  }

  /** Returns a port that nobody listens at. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /**
   * Returns the path of an installed program.
   *
   * @param module what {@code go install} takes
   */
  static String program(String name, String module) throws IOException {
    Stream<String> places =
        Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1)),
            Stream.of(System.getProperty("user.home") + "/go/bin"));
    return places
        .map(place -> Path.of(place, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IOException(name + " is not installed: go install " + module))
        .toString();
  }

  private void awaitAnswer(Path log) throws IOException, InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() - deadlineNanos > 0) {
        throw new IOException("the server does not start: " + Files.readString(log));
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(2000);
      socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      return socket.getInputStream().read() == 'H';
    } catch (IOException e) {
      return false; // Not yet.
    }
  }

  /** Returns the address: {@code http://127.0.0.1:PORT}. */
  String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
