package dev.tailwater.destination.azure;

import dev.tailwater.destination.cloud.Retention;
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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The requests that an archive needs. Names are those of the container. An answer with another
 * status than 2xx is an {@link HttpFailure}. Thread-safe.
 *
 * @see <a
 *     href="https://learn.microsoft.com/en-us/rest/api/storageservices/operations-on-blobs">Operations
 *     on blobs</a>
 */
final class AzureRequests implements AutoCloseable {
  /** The first version that knows {@code startFrom}. */
  private static final String VERSION = "2026-02-06";

  /** The form of HTTP, with two digits for the day. */
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final int CREATED = 201;
  private static final int ACCEPTED = 202;
  private static final int UNAUTHORIZED = 401;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final HttpSender sender;
  private final AzurePlace place;
  private final AzureCredentials credentials;
  private final InstantSource clock;

  AzureRequests(
      HttpSender sender, AzurePlace place, AzureCredentials credentials, InstantSource clock) {
    this.sender = sender;
    this.place = place;
    this.credentials = credentials;
    this.clock = clock;
  }

  /**
   * Creates an object by Put Blob.
   *
   * @param onlyIfAbsent fails with 409 if the object exists
   */
  void put(String name, ByteBuffer content, boolean onlyIfAbsent) throws InterruptedException {
    Map<String, String> headers = attributes(onlyIfAbsent);
    headers.put("x-ms-blob-type", "BlockBlob");
    send("PUT", blobPath(name), Map.of(), headers, content);
  }

  /** Returns the headers that describe a new object. */
  private Map<String, String> attributes(boolean onlyIfAbsent) {
    Map<String, String> headers = new TreeMap<>();
    if (onlyIfAbsent) {
      headers.put("if-none-match", "*");
    }
    place.accessTier().ifPresent(tier -> headers.put("x-ms-access-tier", tier));
    place.encryptionScope().ifPresent(scope -> headers.put("x-ms-encryption-scope", scope));
    place
        .metadata()
        .forEach((name, value) -> headers.put("x-ms-meta-" + name.toLowerCase(Locale.ROOT), value));
    if (!place.tags().isEmpty()) {
      headers.put("x-ms-tags", UriText.query(new TreeMap<>(place.tags())).substring(1));
    }
    if (onlyIfAbsent && place.retention().isPresent()) {
      Retention retention = place.retention().get();
      headers.put(
          "x-ms-immutability-policy-until-date", DATE.format(retention.until(clock.instant())));
      headers.put("x-ms-immutability-policy-mode", retention.locked() ? "Locked" : "Unlocked");
    }
    return headers;
  }

  /** Sends a block of an object, which stays invisible. */
  void block(String name, String blockId, ByteBuffer content) throws InterruptedException {
    Map<String, String> headers = new TreeMap<>();
    place.encryptionScope().ifPresent(scope -> headers.put("x-ms-encryption-scope", scope));
    send("PUT", blobPath(name), Map.of("comp", "block", "blockid", blockId), headers, content);
  }

  /** Creates an object from its blocks; fails with 409 if the object exists. */
  void commit(String name, List<String> blockIds) throws InterruptedException {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>");
    blockIds.forEach(id -> xml.append("<Uncommitted>").append(id).append("</Uncommitted>"));
    byte[] list = xml.append("</BlockList>").toString().getBytes(StandardCharsets.UTF_8);
    send(
        "PUT",
        blobPath(name),
        Map.of("comp", "blocklist"),
        attributes(true),
        ByteBuffer.wrap(list));
  }

  /** Requests an object, or a range of it; the body of a success is still to be read. */
  HttpResponse<BodyStream> get(String name, Optional<String> range) throws InterruptedException {
    Map<String, String> headers = new TreeMap<>();
    range.ifPresent(bytes -> headers.put("range", bytes));
    HttpRequest request =
        signed("GET", blobPath(name), Map.of(), headers, NOTHING, sender.limits().question());
    HttpResponse<BodyStream> response = sender.open(request);
    tellOfRefusal(request, response.statusCode());
    if (response.statusCode() / 100 != 2) {
      throw new HttpFailure(AzureXml.error(sender.whole(response)));
    }
    return response;
  }

  /** Returns whether there is an object, and not only blocks for one. */
  boolean exists(String name) throws InterruptedException {
    HttpAnswer answer =
        answer(
            signed(
                "HEAD",
                blobPath(name),
                Map.of(),
                new TreeMap<>(),
                NOTHING,
                sender.limits().question()));
    if (!answer.isSuccess() && answer.status() != 404) {
      throw new HttpFailure(AzureXml.error(answer));
    }
    if (answer.header("x-ms-request-id").isEmpty()) {
      throw answer.unexpected("is not one of the service");
    }
    return answer.isSuccess();
  }

  /** Requests a page of a list, after a marker or from a name on, which may be ignored. */
  HttpAnswer list(String prefix, Optional<String> start, Optional<String> marker, int maxResults)
      throws InterruptedException {
    Map<String, String> query = new TreeMap<>();
    query.put("restype", "container");
    query.put("comp", "list");
    query.put("maxresults", Integer.toString(maxResults));
    if (!prefix.isEmpty()) {
      query.put("prefix", prefix);
    }
    start.ifPresent(name -> query.put("startFrom", name));
    marker.ifPresent(text -> query.put("marker", text));
    return send("GET", "/" + place.container(), query, new TreeMap<>(), NOTHING);
  }

  /** Removes an object; fails with 404 if it does not exist. */
  void delete(String name) throws InterruptedException {
    send("DELETE", blobPath(name), Map.of(), new TreeMap<>(), NOTHING);
  }

  private HttpAnswer send(
      String method,
      String path,
      Map<String, String> query,
      Map<String, String> headers,
      ByteBuffer content)
      throws InterruptedException {
    if (method.equals("PUT")) {
      headers.put("content-md5", md5(content));
      headers.put("content-type", "application/octet-stream");
      if (content.hasRemaining()) {
        headers.put("content-length", Integer.toString(content.remaining()));
      }
    }
    Duration limit =
        content.hasRemaining()
            ? sender.limits().put(content.remaining())
            : sender.limits().question();
    HttpAnswer answer = answer(signed(method, path, query, headers, content, limit));
    if (!answer.isSuccess()) {
      throw new HttpFailure(AzureXml.error(answer));
    }
    // A proxy that answers in its own name says 200.
    if (method.equals("PUT") && answer.status() != CREATED) {
      throw answer.unexpected("does not say that something was created");
    }
    if (method.equals("DELETE") && answer.status() != ACCEPTED) {
      throw answer.unexpected("does not say that something was deleted");
    }
    return answer;
  }

  private HttpAnswer answer(HttpRequest request) throws InterruptedException {
    HttpAnswer answer = sender.send(request);
    tellOfRefusal(request, answer.status());
    return answer;
  }

  private void tellOfRefusal(HttpRequest request, int status) {
    if (status == UNAUTHORIZED) {
      request.headers().firstValue("Authorization").ifPresent(credentials::refused);
    }
  }

  private HttpRequest signed(
      String method,
      String path,
      Map<String, String> query,
      Map<String, String> headers,
      ByteBuffer content,
      Duration limit)
      throws InterruptedException {
    headers.put("x-ms-date", DATE.format(clock.instant()));
    headers.put("x-ms-version", VERSION);
    URI uri = URI.create(place.endpoint() + path + UriText.query(query));
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(limit);
    try {
      request.header(
          "Authorization",
          credentials.authorization(method, headers, SharedKey.signedPath(uri), query));
    } catch (IOException e) {
      throw new HttpFailure(e);
    }
    headers.forEach(
        (name, value) -> {
          if (!name.equals("content-length")) { // The client sends it.
            request.header(name, value);
          }
        });
    return request
        .method(
            method,
            method.equals("PUT")
                ? BufferPublisher.of(content)
                : HttpRequest.BodyPublishers.noBody())
        .build();
  }

  private static String md5(ByteBuffer content) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      digest.update(content.duplicate());
      return Base64.getEncoder().encodeToString(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the path of an object, in which slashes separate the parts of its name. */
  private String blobPath(String name) {
    return "/" + place.container() + "/" + UriText.encoded(name).replace("%2F", "/");
  }

  @Override
  public void close() {
    sender.close();
  }
}
