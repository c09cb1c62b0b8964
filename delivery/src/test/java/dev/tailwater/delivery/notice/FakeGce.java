package dev.tailwater.delivery.notice;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.net.httpserver.HttpExchange;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The metadata server of Google Compute Engine, with its hanging GET. */
final class FakeGce extends MetadataServer {
  @GuardedBy("this")
  private final Map<String, String> values =
      new HashMap<>(Map.of("preempted", "FALSE", "maintenance-event", "NONE"));

  @GuardedBy("this")
  private final Map<String, Integer> versions = new HashMap<>();

  FakeGce() {
    open();
  }

  synchronized void set(String key, String value) {
    values.put(key, value);
    versions.merge(key, 1, Integer::sum);
    notifyAll();
  }

  @Override
  protected Answer answer(HttpExchange exchange, String body) throws InterruptedException {
    exchange.getResponseHeaders().set("Metadata-Flavor", "Google");
    if (!"Google".equals(exchange.getRequestHeaders().getFirst("Metadata-Flavor"))) {
      return new Answer(403, "");
    }
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/computeMetadata/v1/")) {
      return new Answer(200, "instance/\nproject/\n");
    }
    String key = path.substring(path.lastIndexOf('/') + 1);
    String query = Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("");
    synchronized (this) {
      if (!values.containsKey(key)) {
        return Answer.NOT_FOUND;
      }
      if (query.contains("wait_for_change=true")) {
        long untilNanos =
            System.nanoTime() + 1_000_000_000L * Long.parseLong(parameter(query, "timeout_sec"));
        String last = parameter(query, "last_etag");
        while (last.equals(etag(key)) && System.nanoTime() < untilNanos) {
          wait(50);
        }
      }
      exchange.getResponseHeaders().set("ETag", etag(key));
      return new Answer(200, values.get(key));
    }
  }

  @GuardedBy("this")
  private String etag(String key) {
    return "e+" + versions.getOrDefault(key, 0);
  }

  private static String parameter(String query, String name) {
    for (String part : query.split("&", -1)) {
      if (part.startsWith(name + "=")) {
        return part.substring(name.length() + 1);
      }
    }
    return "";
  }
}
