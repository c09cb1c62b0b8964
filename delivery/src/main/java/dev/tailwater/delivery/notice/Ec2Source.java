package dev.tailwater.delivery.notice;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Spot interruptions and rebalance recommendations of EC2, from version 2 of the instance metadata
 * service: a token is fetched by PUT and sent with each request until it is refused.
 *
 * <p>From the EC2 User Guide: an interruption notice comes two minutes before the instance is
 * stopped or terminated, but immediately before a hibernation ("Spot Instance interruption
 * notices", which recommends to ask every 5 seconds; {@code spot/instance-action} has {@code
 * action} and {@code time}, and is 404 as long as there is none). A recommendation has no deadline
 * ("EC2 instance rebalance recommendations", {@code events/recommendations/rebalance} with {@code
 * noticeTime}).
 */
final class Ec2Source implements NoticeSource {
  static final String NAME = "ec2";
  static final Duration NOTICE_TIME = Duration.ofMinutes(2);

  private static final String TOKEN_SECONDS = "21600"; // The maximum: 6 hours.
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final String NO_BODY = "";

  private final MetadataHttpClient http;
  private final URI endpoint;
  private final InstantSource wallClock;
  private Optional<String> token = Optional.empty();

  Ec2Source(MetadataHttpClient http, URI endpoint, InstantSource wallClock) {
    this.http = http;
    this.endpoint = endpoint;
    this.wallClock = wallClock;
  }

  /** Returns whether an instance metadata service of EC2 answers there. */
  static boolean answers(MetadataHttpClient http, URI endpoint, Duration timeout)
      throws IOException {
    HttpAnswer answer = askForToken(http, endpoint, timeout);
    return answer.status() == 200 && !answer.text().isEmpty();
  }

  private static HttpAnswer askForToken(MetadataHttpClient http, URI endpoint, Duration timeout)
      throws IOException {
    return http.ask(
        "PUT",
        endpoint.resolve("/latest/api/token"),
        Map.of("X-aws-ec2-metadata-token-ttl-seconds", TOKEN_SECONDS),
        NO_BODY,
        timeout);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration pause() {
    return Duration.ofSeconds(5);
  }

  @Override
  public List<Notice> ask() throws IOException {
    Optional<HttpAnswer> action = metadata("/latest/meta-data/spot/instance-action");
    if (action.isEmpty()) {
      return recommendation().stream().toList();
    }
    List<Notice> notices = new ArrayList<>(List.of(interruption(action.get())));
    try {
      recommendation().ifPresent(notices::add);
    } catch (IOException e) {
      // What may happen must not hide what will happen, and no longer matters then.
      return notices;
    }
    return notices;
  }

  private Optional<Notice> recommendation() throws IOException {
    Optional<HttpAnswer> answer = metadata("/latest/meta-data/events/recommendations/rebalance");
    if (answer.isEmpty()) {
      return Optional.empty();
    }
    String since = object(answer.get()).text("noticeTime").orElse("");
    return Optional.of(
        new Notice(
            Notice.Kind.RISK,
            "rebalance " + since,
            Optional.empty(),
            NOTICE_TIME,
            ("rebalance recommendation " + since).strip()));
  }

  private Notice interruption(HttpAnswer answer) throws IOException {
    JsonObject json = object(answer);
    String action = json.text("action").orElse("terminate");
    String time = json.text("time").orElse("");
    // A hibernation begins at once, and the machine goes on after it.
    Notice.Kind kind = action.equals("hibernate") ? Notice.Kind.PAUSE : Notice.Kind.TERMINATION;
    Optional<Duration> left =
        instant(time)
            .map(at -> Duration.between(answer.serverTime().orElseGet(wallClock::instant), at))
            // No notice is given earlier, so a longer time can only come from a wrong clock.
            .map(d -> d.compareTo(NOTICE_TIME) > 0 ? NOTICE_TIME : d);
    return new Notice(
        kind,
        action + " " + time,
        left,
        NOTICE_TIME,
        "spot interruption, " + action + (time.isEmpty() ? "" : " at " + time));
  }

  private static Optional<Instant> instant(String time) {
    try {
      return Optional.of(Instant.parse(time));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static JsonObject object(HttpAnswer answer) throws IOException {
    try {
      return JsonObject.parse(answer.body());
    } catch (IOException e) {
      throw new IOException(answer.asked() + ": " + e.getMessage(), e);
    }
  }

  /** Returns what is at this path; empty if nothing is. */
  private Optional<HttpAnswer> metadata(String path) throws IOException {
    HttpAnswer answer = get(path);
    if (answer.status() == 401) { // The token has expired, or the instance was moved.
      token = Optional.empty();
      answer = get(path);
    }
    return switch (answer.status()) {
      case 200 -> Optional.of(answer);
      case 404 -> Optional.empty();
      default -> throw new IOException(answer.asked() + ": status " + answer.status());
    };
  }

  private HttpAnswer get(String path) throws IOException {
    if (token.isEmpty()) {
      HttpAnswer answer = askForToken(http, endpoint, TIMEOUT);
      if (answer.status() != 200 || answer.text().isEmpty()) {
        throw new IOException(answer.asked() + ": status " + answer.status() + ", no token");
      }
      token = Optional.of(answer.text());
    }
    return http.ask(
        "GET",
        endpoint.resolve(path),
        Map.of("X-aws-ec2-metadata-token", token.get()),
        NO_BODY,
        TIMEOUT);
  }
}
