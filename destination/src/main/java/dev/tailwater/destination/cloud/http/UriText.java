package dev.tailwater.destination.cloud.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** Percent-encoding for paths and queries of requests. */
public final class UriText {
  private UriText() {}

  /**
   * Encodes everything except unreserved characters, slashes too.
   *
   * @see <a href="https://www.rfc-editor.org/rfc/rfc3986#section-2.3">RFC 3986, section 2.3</a>
   */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  /** Returns a query with its question mark, in the order of the map; empty if there is none. */
  public static String query(Map<String, String> values) {
    return values.isEmpty()
        ? ""
        : values.entrySet().stream()
            .map(value -> encoded(value.getKey()) + "=" + encoded(value.getValue()))
            .collect(Collectors.joining("&", "?", ""));
  }
}
