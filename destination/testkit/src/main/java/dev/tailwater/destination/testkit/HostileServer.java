package dev.tailwater.destination.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** An HTTP server that answers each request as a test specifies, and counts the bytes it sends. */
public final class HostileServer implements AutoCloseable {
  private static final int CHUNK_BYTES = 64 << 10;
  private static final long DRIP_NANOS = 20_000_000;

  private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Answer answer;
  private final AtomicLong sentBytes = new AtomicLong();
  private volatile boolean closed;

  /** An answer to a request with the given target. */
  public interface Answer {
    void to(String target, Out out) throws IOException;
  }

  public HostileServer(Answer answer) throws IOException {
    this.answer = answer;
    Thread.ofVirtual().start(this::accept);
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort());
  }

  /** Returns the number of bytes sent, including those in the buffers of both sides. */
  public long sentBytes() {
    return sentBytes.get();
  }

  private void accept() {
    while (!closed) {
      try {
        Socket client = socket.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException e) {
        if (!closed) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
      String first = in.readLine();
      for (String line = first; line != null && !line.isEmpty(); line = in.readLine()) {
        // Headers are ignored, and bodies are not read.
      }
      if (first != null) {
        answer.to(first.split(" ", 3)[1], new Out(client.getOutputStream()));
      }
    } catch (IOException clientHasGone) {
      return;
    }
  }

  /** The output of an answer. */
  public final class Out {
    private final OutputStream stream;

    Out(OutputStream stream) {
      this.stream = stream;
    }

    public Out text(String text) throws IOException {
      stream.write(text.getBytes(StandardCharsets.ISO_8859_1));
      stream.flush();
      sentBytes.addAndGet(text.length());
      return this;
    }

    public Out head(int status, String... headers) throws IOException {
      text("HTTP/1.1 " + status + " Whatever\r\n");
      for (String header : headers) {
        text(header + "\r\n");
      }
      return text("Connection: close\r\n\r\n");
    }

    public void all(String body) throws IOException {
      head(200, "Content-Length: " + body.length()).text(body);
    }

    /** Sends chunks with repetitions of the text until this server is closed. */
    public void endless(String text) throws IOException {
      String chunk = text.repeat(CHUNK_BYTES / text.length());
      while (!closed) {
        text(Integer.toHexString(chunk.length()) + "\r\n" + chunk + "\r\n");
      }
    }

    /** Sends nothing more, and keeps the connection until this server is closed. */
    public void silence() {
      while (!closed) {
        LockSupport.parkNanos(DRIP_NANOS);
      }
    }

    /** Sends one byte at a time until this server is closed. */
    public void drip(String text) throws IOException {
      for (int i = 0; !closed; i = (i + 1) % text.length()) {
        text(text.substring(i, i + 1));
        LockSupport.parkNanos(DRIP_NANOS);
      }
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    socket.close();
  }
}
