package dev.tailwater.destination.testkit;

import dev.tailwater.posix.testkit.Signals;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server that speaks HTTP, in a process of its own over an empty directory. For one thread. */
public final class ServerProcess implements AutoCloseable {
  private static final long START_SECONDS = 60;

  private final Kind kind;
  private final Path directory;
  private final int port;
  private Process process;

  private ServerProcess(Kind kind, Path directory, int port) throws IOException {
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
  public static ServerProcess start(String name, Kind kind) throws IOException {
    Path directory = Files.createTempDirectory(name);
    Files.createDirectory(directory.resolve("data"));
    ServerProcess server = new ServerProcess(kind, directory, freePort());
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
  public Process process() {
    return process;
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
