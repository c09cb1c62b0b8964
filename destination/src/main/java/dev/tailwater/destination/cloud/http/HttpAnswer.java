package dev.tailwater.destination.cloud.http;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
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

  /** Returns the value of a header. */
  public Optional<String> header(String name) {
    return headers.firstValue(name);
  }
}
