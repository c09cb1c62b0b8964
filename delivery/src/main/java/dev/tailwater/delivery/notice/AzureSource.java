package dev.tailwater.delivery.notice;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Azure's Scheduled Events for this machine, and their acknowledgement ("Azure Metadata Service:
 * Scheduled Events for Linux VMs", which recommends to ask every second; the first request switches
 * the service on, which may take two minutes). All machines of a group see the events of all; those
 * of other machines are left out.
 *
 * <p>An acknowledgement, {@code StartRequests}, lets an event start before its time, for every
 * machine that it concerns. So only events that concern no other machine are acknowledged, and,
 * unless the user wants it earlier, only once reading has stopped for good: what is written later
 * may be lost.
 */
final class AzureSource implements NoticeSource {
  static final String NAME = "azure";

  private static final String NAME_PATH =
      "/metadata/instance/compute/name?api-version=2021-02-01&format=text";
  private static final String EVENTS_PATH = "/metadata/scheduledevents?api-version=2020-07-01";
  private static final Map<String, String> METADATA = Map.of("Metadata", "true");
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final String NO_BODY = "";

  private final MetadataHttpClient http;
  private final URI endpoint;
  private final InstantSource wallClock;
  private final boolean acknowledgeEarly;
  private volatile Optional<String> machine = Optional.empty();

  /**
   * Creates a source.
   *
   * @param acknowledgeEarly whether an event may start as soon as nothing is at risk, though
   *     programs may still write
   */
  AzureSource(
      MetadataHttpClient http, URI endpoint, InstantSource wallClock, boolean acknowledgeEarly) {
    this.http = http;
    this.endpoint = endpoint;
    this.wallClock = wallClock;
    this.acknowledgeEarly = acknowledgeEarly;
  }

  /** Returns whether an instance metadata service of Azure answers there. */
  static boolean answers(MetadataHttpClient http, URI endpoint, Duration timeout)
      throws IOException {
    HttpAnswer answer = http.ask("GET", endpoint.resolve(NAME_PATH), METADATA, NO_BODY, timeout);
    return answer.status() == 200 && !answer.text().isEmpty();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration pause() {
    return Duration.ofSeconds(1);
  }

  @Override
  public List<Notice> ask() throws IOException {
    String self = machine();
    HttpAnswer answer = get(EVENTS_PATH);
    Instant now = answer.serverTime().orElseGet(wallClock::instant);
    List<Notice> notices = new ArrayList<>();
    for (AzureEvent event : events(answer)) {
      if (event.concerns(self)) {
        notices.add(event.notice(now));
      }
    }
    return notices;
  }

  @Override
  public void safe(boolean ended) throws IOException {
    if (!ended && !acknowledgeEarly) {
      return;
    }
    String self = machine();
    HttpAnswer answer = get(EVENTS_PATH);
    Instant now = answer.serverTime().orElseGet(wallClock::instant);
    for (AzureEvent event : events(answer)) {
      boolean mayBegin = event.endsMachine() && event.isNear(now) && !event.hasStarted();
      if (mayBegin && event.concerns(self) && event.concernsNoOther(self)) {
        acknowledge(event);
      }
    }
  }

  private void acknowledge(AzureEvent event) throws IOException {
    String id = new String(JsonStringEncoder.getInstance().quoteAsString(event.id()));
    String request = "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}";
    HttpAnswer answer =
        http.ask(
            "POST",
            endpoint.resolve(EVENTS_PATH),
            Map.of("Metadata", "true", "Content-Type", "application/json"),
            request,
            TIMEOUT);
    requireOk(answer);
  }

  private String machine() throws IOException {
    if (machine.isEmpty()) {
      String name = get(NAME_PATH).text();
      if (name.isEmpty()) {
        throw new IOException("GET " + endpoint.resolve(NAME_PATH) + ": no name");
      }
      machine = Optional.of(name);
    }
    return machine.orElseThrow();
  }

  private HttpAnswer get(String path) throws IOException {
    HttpAnswer answer = http.ask("GET", endpoint.resolve(path), METADATA, NO_BODY, TIMEOUT);
    requireOk(answer);
    return answer;
  }

  private static void requireOk(HttpAnswer answer) throws IOException {
    if (answer.status() != 200) {
      throw new IOException(answer.asked() + ": status " + answer.status());
    }
  }

  private static List<AzureEvent> events(HttpAnswer answer) throws IOException {
    try {
      JsonObject json = JsonObject.parse(answer.body());
      if (!json.hasList("Events")) {
        throw new IOException("the answer has no list 'Events'");
      }
      List<AzureEvent> events = new ArrayList<>();
      for (JsonObject event : json.objects("Events")) {
        events.add(AzureEvent.of(event));
      }
      return events;
    } catch (IOException e) {
      throw new IOException(answer.asked() + ": " + e.getMessage(), e);
    }
  }
}
