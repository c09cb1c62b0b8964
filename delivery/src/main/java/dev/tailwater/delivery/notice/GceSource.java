package dev.tailwater.delivery.notice;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One key of the metadata of a Google Compute Engine instance, read by a GET that blocks until the
 * key changes ({@code wait_for_change} and {@code last_etag}, "Query VM metadata").
 *
 * <p>The metadata name no deadlines; they follow from the documentation. {@code preempted} becomes
 * TRUE when the preemption begins, and the instance is stopped 30 seconds later ("Spot VMs",
 * preemption process). {@code maintenance-event} is NONE, and changes to
 * MIGRATE_ON_HOST_MAINTENANCE or TERMINATE_ON_HOST_MAINTENANCE 60 seconds before a maintenance, if
 * the key was read since the last one ("Query metadata server for maintenance event notices").
 */
final class GceSource implements NoticeSource {
  static final String NAME = "gce";
  static final Duration PREEMPTION_TIME = Duration.ofSeconds(30);
  static final Duration MAINTENANCE_TIME = Duration.ofSeconds(60);

  private static final Map<String, String> FLAVOR = Map.of("Metadata-Flavor", "Google");
  private static final String NO_BODY = "";

  /** A key that announces the end of the machine. */
  enum Key {
    PREEMPTED("preempted", "preemption"),
    MAINTENANCE("maintenance-event", "maintenance");

    private final String path;
    private final String shown;

    Key(String path, String shown) {
      this.path = path;
      this.shown = shown;
    }
  }

  private final MetadataHttpClient http;
  private final URI endpoint;
  private final Key key;
  private final Duration hang;
  private Optional<String> etag = Optional.empty();

  /**
   * Creates a source.
   *
   * @param hang how long the server may hold an answer back, in whole seconds
   */
  GceSource(MetadataHttpClient http, URI endpoint, Key key, Duration hang) {
    this.http = http;
    this.endpoint = endpoint;
    this.key = key;
    this.hang = hang;
  }

  /** Returns whether a metadata server of Google answers there. */
  static boolean answers(MetadataHttpClient http, URI endpoint, Duration timeout)
      throws IOException {
    HttpAnswer answer =
        http.ask("GET", endpoint.resolve("/computeMetadata/v1/"), FLAVOR, NO_BODY, timeout);
    return answer.status() == 200
        && answer.header("metadata-flavor").filter("Google"::equals).isPresent();
  }

  @Override
  public String name() {
    return NAME + " " + key.shown;
  }

  /** A change during the pause is not missed, since it changes the etag. */
  @Override
  public Duration pause() {
    return Duration.ofSeconds(1);
  }

  @Override
  public List<Notice> ask() throws IOException {
    String query =
        etag.map(
                last ->
                    "?wait_for_change=true&timeout_sec="
                        + hang.toSeconds()
                        + "&last_etag="
                        + URLEncoder.encode(last, StandardCharsets.UTF_8))
            .orElse("");
    URI uri = endpoint.resolve("/computeMetadata/v1/instance/" + key.path + query);
    // Without an etag, as for the first request, the answer is not held back.
    Duration timeout = etag.isPresent() ? hang.plusSeconds(5) : Duration.ofSeconds(2);
    boolean understood = false;
    try {
      HttpAnswer answer = http.ask("GET", uri, FLAVOR, NO_BODY, timeout);
      if (answer.status() != 200) {
        throw new IOException(answer.asked() + ": status " + answer.status());
      }
      List<Notice> notices = notices(answer);
      etag = answer.header("etag");
      understood = true;
      return notices;
    } finally {
      if (!understood) {
        etag = Optional.empty(); // So that the next request is answered at once.
      }
    }
  }

  private List<Notice> notices(HttpAnswer answer) throws IOException {
    String value = answer.text();
    return switch (value) {
      case "FALSE", "NONE" -> List.of();
      case "TRUE" -> List.of(notice(Notice.Kind.TERMINATION, value, PREEMPTION_TIME, "preemption"));
      case "TERMINATE_ON_HOST_MAINTENANCE" ->
          List.of(
              notice(
                  Notice.Kind.TERMINATION,
                  value,
                  MAINTENANCE_TIME,
                  "host maintenance, the instance is terminated"));
      case "MIGRATE_ON_HOST_MAINTENANCE" ->
          List.of(
              notice(
                  Notice.Kind.PAUSE,
                  value,
                  MAINTENANCE_TIME,
                  "host maintenance, the instance is migrated"));
      default ->
          throw new IOException(
              answer.asked()
                  + ": an answer that is not known: '"
                  + value.substring(0, Math.min(40, value.length()))
                  + "'");
    };
  }

  private static Notice notice(Notice.Kind kind, String value, Duration usual, String text) {
    return new Notice(kind, value, Optional.of(usual), usual, text);
  }
}
