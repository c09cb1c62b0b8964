package dev.tailwater.delivery.notice;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;

/**
 * The answer of an HTTP server.
 *
 * @param asked the request, for messages
 * @param headers by name in lower case; one of each name
 * @param body decoded as UTF-8
 */
record HttpAnswer(String asked, int status, Map<String, String> headers, String body) {

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  String text() {
    return body.strip();
  }

  /**
   * Returns when it answered, by its own clock (RFC 9110, section 6.6.1). Deadlines that it names
   * are by that clock, so the time left is computed with it, and a wrong local clock does no harm.
   */
  Optional<Instant> serverTime() {
    return header("date").flatMap(HttpAnswer::httpDate);
  }

  /** Parses a date such as {@code Mon, 19 Sep 2016 18:29:47 GMT}. */
  static Optional<Instant> httpDate(String text) {
    try {
      return Optional.of(
          ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
