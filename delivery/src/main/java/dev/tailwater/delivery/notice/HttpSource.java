package dev.tailwater.delivery.notice;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * An HTTP endpoint that the user has configured. Status 204 or 404 to a GET means that there is no
 * notice; 200 means that there is one, which the body may describe ({@link NoticeContent}).
 * Anything else is a failure, including a body that cannot be understood, such as an error page.
 */
final class HttpSource implements NoticeSource {
  private final MetadataHttpClient http;
  private final URI uri;
  private final Duration every;
  private final Duration limit;
  private final Duration usual;
  private final InstantSource wallClock;

  HttpSource(
      MetadataHttpClient http,
      URI uri,
      Duration every,
      Duration limit,
      Duration usual,
      InstantSource wallClock) {
    this.http = http;
    this.uri = uri;
    this.every = every;
    this.limit = limit;
    this.usual = usual;
    this.wallClock = wallClock;
  }

  @Override
  public String name() {
    return MetadataHttpClient.shown(uri);
  }

  @Override
  public Duration pause() {
    return every;
  }

  @Override
  public List<Notice> ask() throws IOException {
    HttpAnswer answer = http.ask("GET", uri, Map.of("Accept", "application/json"), "", limit);
    return switch (answer.status()) {
      case 204, 404 -> List.of();
      case 200 -> List.of(notice(answer));
      default -> throw new IOException(answer.asked() + ": status " + answer.status());
    };
  }

  private Notice notice(HttpAnswer answer) throws IOException {
    NoticeContent said;
    try {
      said = NoticeContent.parse(answer.body());
    } catch (IOException e) {
      throw new IOException(answer.asked() + ": " + e.getMessage(), e);
    }
    Instant now = answer.serverTime().orElseGet(wallClock::instant);
    return said.notice(said.id(), now, now, usual, "the endpoint says so");
  }
}
