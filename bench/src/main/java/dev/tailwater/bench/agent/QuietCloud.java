package dev.tailwater.bench.agent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Metadata servers of three clouds, on loopback, that have nothing to announce. */
final class QuietCloud implements AutoCloseable {
  private static final long HANG_MILLIS = 60_000;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong requests = new AtomicLong();

  QuietCloud() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, 404, ""));
    server.createContext("/latest/api/token", exchange -> answer(exchange, 200, "token"));
    server.createContext(
        "/computeMetadata/v1/instance/preempted", exchange -> hang(exchange, "FALSE"));
    server.createContext(
        "/computeMetadata/v1/instance/maintenance-event", exchange -> hang(exchange, "NONE"));
    server.createContext(
        "/metadata/instance/compute/name", exchange -> answer(exchange, 200, "bench"));
    server.createContext(
        "/metadata/scheduledevents",
        exchange -> answer(exchange, 200, "{\"DocumentIncarnation\":1,\"Events\":[]}"));
    server.start();
  }

  private void hang(HttpExchange exchange, String value) throws IOException {
    if (String.valueOf(exchange.getRequestURI().getQuery()).contains("wait_for_change=true")) {
      try {
        Thread.sleep(HANG_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // Closed.
      }
    }
    exchange.getResponseHeaders().set("ETag", "1");
    answer(exchange, 200, value);
  }

  private void answer(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      requests.incrementAndGet();
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Host and port. */
  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /** Those answered so far. */
  long requests() {
    return requests.get();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
