package dev.tailwater.delivery.notice;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;

/**
 * What a server answered.
 *
 * @param asked the request, for messages
 * @param headers by name in lower case; of several of one name, one
 * @param body as UTF-8
 */
record HttpAnswer(String asked, int status, Map<String, String> headers, String body) {

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  String text() {
    return body.strip();
  }

  /**
   * When it answered, by its own clock (RFC 9110, section 6.6.1). Deadlines that it names are of
   * that clock, so time left is reckoned by it, and a local clock that is wrong does no harm.
   */
  Optional<Instant> serverTime() {
    return header("date").flatMap(HttpAnswer::httpDate);
  }

  /** A date such as {@code Mon, 19 Sep 2016 18:29:47 GMT}. */
  static Optional<Instant> httpDate(String text) {
    try {
      return Optional.of(
          ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
