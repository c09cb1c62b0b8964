package dev.tailwater.destination.cloud.http;

import dev.tailwater.destination.cloud.UnexpectedAnswerException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * An answer that was read to its end.
 *
 * @param status of HTTP
 * @param text the body as UTF-8
 */
public record HttpAnswer(int status, HttpHeaders headers, String text) {
  static HttpAnswer of(int status, HttpHeaders headers, byte[] body) {
    return new HttpAnswer(status, headers, new String(body, StandardCharsets.UTF_8));
  }

  /** Returns whether the status is 2xx. */
  public boolean isSuccess() {
    return status / 100 == 2;
  }

  /** Returns whether this is a page for a browser, which no store sends. */
  public boolean isPage() {
    return header("Content-Type").filter(HttpAnswer::isPage).isPresent() && !text.isBlank();
  }

  static boolean isPage(String contentType) {
    return contentType.toLowerCase(Locale.ROOT).startsWith("text/html");
  }

  /**
   * Returns the failure of a request whose answer is a success and not what the store answers.
   *
   * @param problem such as "is not a list"
   */
  public HttpFailure unexpected(String problem) {
    String begin =
        text.substring(0, Math.min(text.length(), UnexpectedAnswerException.SHOWN_BYTES));
    return new HttpFailure(
        new UnexpectedAnswerException(status, problem, begin.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns the value of a header. */
  public Optional<String> header(String name) {
    return headers.firstValue(name);
  }
}
