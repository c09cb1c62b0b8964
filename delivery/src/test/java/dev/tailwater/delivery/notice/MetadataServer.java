package dev.tailwater.delivery.notice;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server on loopback that can be made to misbehave; what it says is for subclasses. */
public abstract class MetadataServer implements AutoCloseable {
  /** A fault in answers. */
  public enum Trouble {
    NONE,
    ERROR_500,
    GARBAGE,
    /** Nothing is ever answered. */
    HANG,
    /** The connection ends without an answer. */
    CUT
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile Trouble trouble = Trouble.NONE;

  /** An answer; a negative length of the body is none. */
  protected record Answer(int status, String body) {
    static final Answer NOT_FOUND = new Answer(404, "not found");
  }

  protected MetadataServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
  }

  /** Starts serving. */
  protected final void open() {
    server.createContext("/", this::handle);
    server.start();
  }

  /** Returns what the cloud would answer; may block. */
  protected abstract Answer answer(HttpExchange exchange, String body)
      throws IOException, InterruptedException;

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
      switch (trouble) {
        case HANG -> closed.await();
        case ERROR_500 -> send(exchange, new Answer(500, "internal error"));
        case GARBAGE -> send(exchange, new Answer(200, "{\"time\": <html>"));
        case CUT -> throw new IOException("cut");
        case NONE -> send(exchange, answer(exchange, body));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** Sets the fault of all answers from now on. */
  public final void trouble(Trouble newTrouble) {
    trouble = newTrouble;
  }

  /** Returns all requests, {@code GET /path?query}. */
  public final List<String> requests() {
    return List.copyOf(requests);
  }

  /** Returns its address. */
  public final URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
