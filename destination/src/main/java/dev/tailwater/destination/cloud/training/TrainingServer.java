package dev.tailwater.destination.cloud.training;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * An HTTP server on loopback for the training of start-up caches. It reads requests whose length is
 * stated, and trusts whoever sends them: it lives for seconds, in the process that talks to it.
 */
public final class TrainingServer implements AutoCloseable {
  private static final int MAX_LINE_BYTES = 1 << 16;

  private final ServerSocket socket;
  private final Function<TrainingRequest, TrainingAnswer> service;

  private TrainingServer(ServerSocket socket, Function<TrainingRequest, TrainingAnswer> service) {
    this.socket = socket;
    this.service = service;
  }

  /**
   * Starts a server at a free port; the service is called by several threads.
   *
   * @throws IOException there is no loopback, as where an installation runs without a network
   */
  public static TrainingServer start(Function<TrainingRequest, TrainingAnswer> service)
      throws IOException {
    ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    try (Socket reachable = new Socket(socket.getInetAddress(), socket.getLocalPort())) {
      // Otherwise a delivery would be tried again for a minute.
      reachable.shutdownOutput();
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    TrainingServer server = new TrainingServer(socket, service);
    Thread.ofPlatform().daemon().name("training-server").start(server::accept);
    return server;
  }

  /** Returns the address: {@code http://127.0.0.1:PORT}. */
  public String endpoint() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        Thread.ofPlatform().daemon().name("training-connection").start(() -> serve(connection));
      } catch (IOException e) {
        if (!socket.isClosed()) {
          throw new IllegalStateException("the server for the training failed", e);
        }
      }
    }
  }

  private void serve(Socket connection) {
    try (connection;
        InputStream in = new BufferedInputStream(connection.getInputStream());
        OutputStream out = connection.getOutputStream()) {
      for (String first = line(in); !first.isEmpty(); first = line(in)) {
        Map<String, String> headers = new TreeMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
          int colon = header.indexOf(':');
          headers.put(
              header.substring(0, colon).toLowerCase(Locale.ROOT),
              header.substring(colon + 1).strip());
        }
        if (headers.containsKey("expect")) {
          out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        String[] words = first.split(" ", -1);
        TrainingRequest request = TrainingRequest.of(words[0], words[1], headers, body);
        write(service.apply(request), request.method().equals("HEAD"), out);
      }
    } catch (IOException e) {
      // The client has closed the connection, or sees that it failed and reports that.
    }
  }

  private static void write(TrainingAnswer answer, boolean headersOnly, OutputStream out)
      throws IOException {
    StringBuilder head = new StringBuilder("HTTP/1.1 ").append(answer.status()).append(" -\r\n");
    answer.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    if (answer.status() != 204) {
      head.append("Content-Length: ").append(answer.body().length).append("\r\n");
    }
    out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    if (!headersOnly) {
      out.write(answer.body());
    }
    out.flush();
  }

  /** Returns a line without its end; empty at the end of the stream. */
  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (line.length() == MAX_LINE_BYTES) {
        throw new IOException("a line of a request is too long");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
