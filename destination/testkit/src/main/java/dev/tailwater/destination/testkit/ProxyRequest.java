package dev.tailwater.destination.testkit;

import java.util.Map;
import java.util.Optional;

/**
 * A request that arrived at a {@link FaultyHttpProxy}.
 *
 * @param number from 1, over all connections
 * @param method {@code PUT}
 * @param target path and query as sent
 * @param headers values by name in lower case
 */
public record ProxyRequest(long number, String method, String target, Map<String, String> headers) {
  public ProxyRequest {
    headers = Map.copyOf(headers);
  }

  /** Returns the value of a header, by its name in lower case. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /** Returns the {@code Content-Length}. */
  public long bodyBytes() {
    return Long.parseLong(headers.getOrDefault("content-length", "0"));
  }
}
