package dev.tailwater.destination.gcs;

import dev.tailwater.destination.cloud.http.BodyStream;
import dev.tailwater.destination.cloud.http.BufferPublisher;
import dev.tailwater.destination.cloud.http.HttpAnswer;
import dev.tailwater.destination.cloud.http.HttpFailure;
import dev.tailwater.destination.cloud.http.HttpSender;
import dev.tailwater.destination.cloud.http.UriText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The requests that an archive needs. Names are those of the bucket. An answer with another status
 * than 2xx is an {@link HttpFailure}. Thread-safe.
 *
 * @see <a href="https://cloud.google.com/storage/docs/json_api/v1/objects">JSON API: objects</a>
 */
final class GcsRequests implements AutoCloseable {
  private static final String JSON = "application/json; charset=UTF-8";
  private static final int RESUME_INCOMPLETE = 308;

  private final HttpSender sender;
  private final GcsPlace place;
  private final GcsCredentials credentials;

  GcsRequests(HttpSender sender, GcsPlace place, GcsCredentials credentials) {
    this.sender = sender;
    this.place = place;
    this.credentials = credentials;
  }

  /**
   * Sends attributes and content in one request.
   *
   * @param boundary that does not occur in the content, by all odds
   * @param onlyIfAbsent fails with 412 if the object exists
   */
  HttpAnswer insert(String attributes, ByteBuffer content, String boundary, boolean onlyIfAbsent)
      throws InterruptedException {
    String head =
        "--%s\r\nContent-Type: %s\r\n\r\n%s\r\n--%s\r\nContent-Type: application/octet-stream\r\n\r\n"
            .formatted(boundary, JSON, attributes, boundary);
    HttpRequest.Builder request =
        request(upload("multipart", onlyIfAbsent))
            .timeout(sender.limits().put(content.remaining()))
            .header("Content-Type", "multipart/related; boundary=" + boundary)
            .POST(BufferPublisher.of(bytes(head), content, bytes("\r\n--" + boundary + "--\r\n")));
    return successful(sender.send(request.build()));
  }

  private URI upload(String type, boolean onlyIfAbsent) {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("uploadType", type);
    if (onlyIfAbsent) {
      query.put("ifGenerationMatch", "0");
    }
    place.kmsKey().ifPresent(key -> query.put("kmsKeyName", key));
    query.put("fields", "crc32c,generation");
    return uri("/upload/storage/v1/b/" + place.bucket() + "/o", query);
  }

  /** Requests an object, or a range of it; the body of a success is still to be read. */
  HttpResponse<BodyStream> media(String name, Optional<String> range) throws InterruptedException {
    HttpRequest.Builder request =
        request(uri(objectPath(name), new LinkedHashMap<>(Map.of("alt", "media"))))
            .timeout(sender.limits().question())
            .GET();
    range.ifPresent(bytes -> request.header("Range", bytes));
    HttpResponse<BodyStream> response = sender.open(request.build());
    if (response.statusCode() / 100 != 2) {
      throw new HttpFailure(GcsJson.error(sender.whole(response)));
    }
    return response;
  }

  /**
   * Requests a page of a list.
   *
   * @param start lists this name and greater ones
   */
  HttpAnswer list(String prefix, Optional<String> start, Optional<String> pageToken, int maxResults)
      throws InterruptedException {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("maxResults", Integer.toString(maxResults));
    query.put("fields", "nextPageToken,items(name,size,updated)");
    if (!prefix.isEmpty()) {
      query.put("prefix", prefix);
    }
    start.ifPresent(name -> query.put("startOffset", name));
    pageToken.ifPresent(token -> query.put("pageToken", token));
    return question(uri("/storage/v1/b/" + place.bucket() + "/o", query), "GET");
  }

  /**
   * Removes an object; fails with 404 if it does not exist.
   *
   * @param generation the only one to remove; empty for the newest
   */
  void delete(String name, Optional<String> generation) throws InterruptedException {
    Map<String, String> query = new LinkedHashMap<>();
    generation.ifPresent(number -> query.put("generation", number));
    HttpAnswer answer = question(uri(objectPath(name), query), "DELETE");
    if (answer.isPage() || answer.text().startsWith("<")) {
      throw answer.unexpected("has a text, where the service says nothing");
    }
  }

  private HttpAnswer question(URI uri, String method) throws InterruptedException {
    HttpRequest.Builder request =
        request(uri)
            .timeout(sender.limits().question())
            .method(method, HttpRequest.BodyPublishers.noBody());
    return successful(sender.send(request.build()));
  }

  /**
   * Begins an upload in parts.
   *
   * @return the session, to which the parts are sent
   * @see <a href="https://cloud.google.com/storage/docs/resumable-uploads">Resumable uploads</a>
   */
  URI begin(String attributes) throws InterruptedException {
    HttpRequest.Builder request =
        request(upload("resumable", true))
            .timeout(sender.limits().question())
            .header("Content-Type", JSON)
            .POST(HttpRequest.BodyPublishers.ofString(attributes));
    HttpAnswer answer = successful(sender.send(request.build()));
    try {
      URI session = URI.create(answer.header("Location").orElseThrow());
      // Only its path: the session of a hostile server could be on another host.
      return URI.create(place.endpoint() + session.getRawPath() + "?" + session.getRawQuery());
    } catch (RuntimeException e) {
      throw new HttpFailure(new IOException("the server names no session for an upload", e));
    }
  }

  /** Sends a part that is not the last; the server must have kept all of it. */
  void part(URI session, long offsetBytes, ByteBuffer part) throws InterruptedException {
    long end = offsetBytes + part.remaining();
    HttpAnswer answer = put(session, "bytes " + offsetBytes + "-" + (end - 1) + "/*", part, "");
    if (answer.isSuccess()) {
      throw answer.unexpected("is none to a part that is not the last");
    }
    if (answer.status() != RESUME_INCOMPLETE) {
      throw new HttpFailure(GcsJson.error(answer));
    }
    if (!answer.header("Range").equals(Optional.of("bytes=0-" + (end - 1)))) {
      throw kept(answer, end);
    }
  }

  /** Sends the last part, and the checksum of the whole. */
  HttpAnswer lastPart(URI session, long offsetBytes, ByteBuffer part, String crc32c)
      throws InterruptedException {
    long end = offsetBytes + part.remaining();
    String range = "bytes " + offsetBytes + "-" + (end - 1) + "/" + end;
    HttpAnswer answer = put(session, range, part, crc32c);
    if (answer.status() == RESUME_INCOMPLETE) {
      throw kept(answer, end); // The service may keep only some of a part.
    }
    return successful(answer);
  }

  private static HttpFailure kept(HttpAnswer answer, long endBytes) {
    String kept = answer.header("Range").orElse("nothing");
    return new HttpFailure(
        new IOException("the server kept " + kept + " of the first " + endBytes + " bytes"));
  }

  private HttpAnswer put(URI session, String range, ByteBuffer part, String crc32c)
      throws InterruptedException {
    HttpRequest.Builder request =
        request(session)
            .timeout(sender.limits().put(part.remaining()))
            .header("Content-Range", range)
            .PUT(BufferPublisher.of(part));
    if (!crc32c.isEmpty()) {
      request.header("X-Goog-Hash", "crc32c=" + crc32c);
    }
    return sender.sendOnce(request.build());
  }

  /** Ends an upload that will not be completed; the server answers with 499. */
  HttpAnswer cancel(URI session) throws InterruptedException {
    HttpRequest.Builder request = request(session).timeout(sender.limits().question()).DELETE();
    return sender.sendOnce(request.build());
  }

  private HttpRequest.Builder request(URI uri) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    try {
      credentials
          .headers(uri)
          .forEach((name, values) -> values.forEach(value -> request.header(name, value)));
    } catch (IOException e) {
      throw new HttpFailure(e);
    }
    return request;
  }

  private String objectPath(String name) {
    return "/storage/v1/b/" + place.bucket() + "/o/" + UriText.encoded(name);
  }

  private URI uri(String path, Map<String, String> query) {
    place.userProject().ifPresent(project -> query.put("userProject", project));
    return URI.create(place.endpoint() + path + UriText.query(query));
  }

  private static HttpAnswer successful(HttpAnswer answer) {
    if (!answer.isSuccess()) {
      throw new HttpFailure(GcsJson.error(answer));
    }
    return answer;
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    sender.close();
  }
}
