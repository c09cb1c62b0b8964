package dev.tailwater.delivery.notice;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client for metadata servers and endpoints nearby. It never uses a proxy, for which a
 * link-local address means another machine, and follows no redirects.
 *
 * <p>It uses {@link HttpURLConnection} since {@code java.net.http} keeps a thread and buffers for
 * each client; this keeps only a timer for idle connections. On a virtual thread an interrupt ends
 * a call.
 */
final class MetadataHttpClient {
  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(2);
  private static final int MAX_BODY_BYTES = 256 << 10;

  /**
   * Sends a request and returns the answer, whatever its status is.
   *
   * @param body empty: none
   * @param timeout how long the whole answer may take, plus one pause of that length in it
   * @throws IOException when there is no answer in time, or it is longer than 256 KiB
   */
  HttpAnswer ask(String method, URI uri, Map<String, String> headers, String body, Duration timeout)
      throws IOException {
    String asked = method + " " + shown(uri);
    try {
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
      connection.setRequestMethod(method);
      connection.setInstanceFollowRedirects(false);
      connection.setUseCaches(false);
      int timeoutMillis = Math.toIntExact(timeout.toMillis());
      connection.setConnectTimeout(
          Math.min(timeoutMillis, Math.toIntExact(LONGEST_CONNECT.toMillis())));
      connection.setReadTimeout(timeoutMillis);
      headers.forEach(connection::setRequestProperty);
      boolean complete = false;
      try {
        HttpAnswer answer =
            exchange(connection, asked, body.getBytes(StandardCharsets.UTF_8), timeout);
        complete = true;
        return answer;
      } finally {
        if (!complete) {
          connection.disconnect();
        }
      }
    } catch (SocketTimeoutException e) {
      throw new IOException(asked + ": no answer in time", e);
    } catch (IOException e) {
      String message = String.valueOf(e.getMessage());
      throw message.startsWith(asked) ? e : new IOException(asked + ": " + message, e);
    }
  }

  /** Returns the URI for messages, with a hash instead of the query, which may hold a secret. */
  static String shown(URI uri) {
    String text = uri.toString();
    int query = text.indexOf('?');
    return query < 0
        ? text
        : text.substring(0, query + 1) + Integer.toHexString(text.substring(query).hashCode());
  }

  private static HttpAnswer exchange(
      HttpURLConnection connection, String asked, byte[] body, Duration timeout)
      throws IOException {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    if (body.length > 0 || connection.getRequestMethod().equals("POST")) {
      connection.setDoOutput(true);
      connection.setFixedLengthStreamingMode(body.length); // Never sent twice.
      try (OutputStream out = connection.getOutputStream()) {
        out.write(body);
      }
    }
    int status = connection.getResponseCode();
    if (status < 100) {
      throw new IOException(asked + ": the answer is not HTTP");
    }
    Map<String, String> headers = new HashMap<>();
    for (Map.Entry<@Nullable String, List<String>> header :
        connection.getHeaderFields().entrySet()) {
      @Nullable String name = header.getKey(); // The status line has none.
      if (name != null) {
        headers.put(name.toLowerCase(Locale.ROOT), header.getValue().getFirst());
      }
    }
    return new HttpAnswer(asked, status, headers, read(connection, asked, deadlineNanos));
  }

  private static String read(HttpURLConnection connection, String asked, long deadlineNanos)
      throws IOException {
    @Nullable InputStream in =
        connection.getResponseCode() >= 400
            ? connection.getErrorStream()
            : connection.getInputStream();
    if (in == null) {
      return "";
    }
    try (in) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      byte[] buffer = new byte[4096];
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        body.write(buffer, 0, length);
        if (body.size() > MAX_BODY_BYTES) {
          throw new IOException(asked + ": the answer is too long");
        }
        if (System.nanoTime() - deadlineNanos > 0) {
          throw new SocketTimeoutException();
        }
      }
      return body.toString(StandardCharsets.UTF_8);
    }
  }
}
