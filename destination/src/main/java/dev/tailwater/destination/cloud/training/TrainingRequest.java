package dev.tailwater.destination.cloud.training;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request to a {@link TrainingServer}.
 *
 * @param path decoded
 * @param query decoded
 * @param headers with names in lower case
 * @param body never changed
 */
@SuppressWarnings("ArrayRecordComponent") // It is never compared.
public record TrainingRequest(
    String method,
    String path,
    Map<String, String> query,
    Map<String, String> headers,
    byte[] body) {

  static TrainingRequest of(
      String method, String target, Map<String, String> headers, byte[] body) {
    int mark = target.indexOf('?');
    Map<String, String> query = new TreeMap<>();
    if (mark >= 0) {
      for (String pair : target.substring(mark + 1).split("&", -1)) {
        int equal = pair.indexOf('=');
        query.put(
            decoded(equal < 0 ? pair : pair.substring(0, equal)),
            equal < 0 ? "" : decoded(pair.substring(equal + 1)));
      }
    }
    String path = decoded(mark < 0 ? target : target.substring(0, mark));
    return new TrainingRequest(method, path, query, headers, body);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** Returns a value of the query; empty if there is none. */
  public String value(String name) {
    return query.getOrDefault(name, "");
  }

  /** Returns the value of a header; empty if there is none. */
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }
}
