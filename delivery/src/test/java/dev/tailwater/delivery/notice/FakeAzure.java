package dev.tailwater.delivery.notice;

import com.sun.net.httpserver.HttpExchange;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The instance metadata service of Azure, with Scheduled Events. */
final class FakeAzure extends MetadataServer {
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final List<String> acknowledged = new CopyOnWriteArrayList<>();

  FakeAzure() {
    open();
  }

  /** Announces an event, as the service would. */
  void event(String id, String type, String status, String notBefore, String... resources) {
    events.add(
        """
        {"EventId": "%s", "EventType": "%s", "ResourceType": "VirtualMachine",
         "Resources": ["%s"], "EventStatus": "%s", "NotBefore": "%s",
         "Description": "Spot eviction", "EventSource": "Platform", "DurationInSeconds": -1}\
        """
            .formatted(id, type, String.join("\",\"", resources), status, notBefore));
  }

  void clear() {
    events.clear();
  }

  List<String> acknowledged() {
    return List.copyOf(acknowledged);
  }

  @Override
  protected Answer answer(HttpExchange exchange, String body) {
    if (!"true".equals(exchange.getRequestHeaders().getFirst("Metadata"))) {
      return new Answer(400, "{\"error\": \"Bad request\"}");
    }
    String uri = exchange.getRequestURI().toString();
    if (uri.equals("/metadata/instance/compute/name?api-version=2021-02-01&format=text")) {
      return new Answer(200, "web-1");
    }
    if (!uri.equals("/metadata/scheduledevents?api-version=2020-07-01")) {
      return Answer.NOT_FOUND;
    }
    if (exchange.getRequestMethod().equals("POST")) {
      acknowledged.add(body);
      return new Answer(200, "");
    }
    return new Answer(
        200, "{\"DocumentIncarnation\": 1, \"Events\": [" + String.join(",", events) + "]}");
  }
}
