package dev.tailwater.destination.s3;

import dev.tailwater.destination.Capabilities;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.ListOrder;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A destination in an S3 bucket. Each call sends one request, except where {@link CreateOnly} needs
 * two. A put needs the caller's buffer and a few KiB of its own. Thread-safe.
 */
final class S3Destination implements Destination {
  /** The page size of S3. */
  private static final int MAX_PAGE_ENTRIES = 1000;

  /** The limit of consecutive empty pages, after which a list that never ends counts as broken. */
  private static final int MAX_EMPTY_PAGES = 100;

  private static final long MAX_AGE_MILLIS = 5000;
  private static final long MERGE_BYTES = 64L << 20;
  private static final int RANGE_BEYOND_END = 416;

  private final S3Place place;
  private final OpenIntent intent;
  private final S3Requests requests;
  private final CreateOnly createOnly;
  private final Failures failures;
  private final ThrottledCalls calls;
  private final S3Uploads uploads;

  S3Destination(
      S3Place place,
      OpenIntent intent,
      S3Requests requests,
      Throttle throttle,
      InstantSource clock) {
    this.place = place;
    this.intent = intent;
    this.requests = requests;
    this.createOnly = new CreateOnly(requests, place);
    this.failures = new Failures(place.uri());
    this.calls = new ThrottledCalls(throttle, failures);
    this.uploads = new S3Uploads(place, requests.uploads(), createOnly, calls, clock);
  }

  @Override
  public URI uri() {
    return place.uri();
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(Integer.MAX_VALUE, MAX_AGE_MILLIS, MERGE_BYTES);
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    String full = requireWritable("put", key);
    return calls.call("put", key, () -> createOnly.put(full, BufferBody.of(content)));
  }

  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    return uploads.begin(key, requireWritable("upload", key));
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    String full = requireWritable("put", key);
    calls.call(
        "put",
        key,
        () -> {
          requests.put(full, BufferBody.of(ByteBuffer.wrap(content)), false);
          return PutResult.CREATED;
        });
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    String full = fullKey("read", key);
    if (offsetBytes < 0 || lengthBytes < 0) {
      throw new IllegalArgumentException("range " + offsetBytes + "+" + lengthBytes);
    }
    Optional<String> range = range(offsetBytes, lengthBytes);
    Optional<ResponseInputStream<GetObjectResponse>> answer =
        calls.call("read", key, () -> get(key, full, range));
    if (answer.isEmpty()) {
      return InputStream.nullInputStream();
    }
    if (lengthBytes == 0) {
      // The request was for one byte, only to learn whether the object exists.
      answer.get().abort();
      return InputStream.nullInputStream();
    }
    if (range.isPresent() && !isAnswerTo(offsetBytes, lengthBytes, answer.get().response())) {
      answer.get().abort();
      throw failures.otherRange(key, range.get(), answer.get().response().contentRange());
    }
    return new ObjectBody(
        answer.get(), place.uri(), key, lengthBytes, requests.limits(), System::nanoTime);
  }

  /**
   * Returns whether the answer has the requested range. A server may ignore a range and answer with
   * the whole object.
   */
  private static boolean isAnswerTo(long offsetBytes, long lengthBytes, GetObjectResponse answer) {
    @Nullable String range = answer.contentRange();
    if (range != null) {
      return range.startsWith("bytes " + offsetBytes + "-");
    }
    @Nullable Long wholeBytes = answer.contentLength();
    return offsetBytes == 0 && wholeBytes != null && wholeBytes <= lengthBytes;
  }

  /**
   * Returns the value of the range header; empty for the whole object, whose checksum the SDK then
   * compares.
   */
  private static Optional<String> range(long offsetBytes, long lengthBytes) {
    if (lengthBytes >= Long.MAX_VALUE - offsetBytes) {
      return offsetBytes == 0 ? Optional.empty() : Optional.of("bytes=" + offsetBytes + "-");
    }
    long last = offsetBytes + Math.max(lengthBytes, 1) - 1;
    return Optional.of("bytes=" + offsetBytes + "-" + last);
  }

  /** Requests the object; returns empty if the range starts after the end of the object. */
  private Optional<ResponseInputStream<GetObjectResponse>> get(
      String key, String full, Optional<String> range) throws DestinationException {
    try {
      return Optional.of(requests.get(full, range));
    } catch (S3Exception e) {
      if (e.statusCode() == RANGE_BEYOND_END) {
        return Optional.empty();
      }
      if (Failures.isNoSuchObject(e)) {
        throw new NoSuchObjectException(place.uri(), key);
      }
      throw e;
    }
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    if (maxEntries < 1) {
      throw new IllegalArgumentException("maxEntries " + maxEntries);
    }
    if (!KeyPrefixes.mayBeginAKey(prefix)) {
      return new Listing(List.of(), false);
    }
    // A server may refuse a prefix that ends with a dot component, although some legal keys start
    // with it.
    String asked = place.keyPrefix() + prefix.replaceFirst("(?<=^|/)\\.{1,2}$", "");
    Optional<String> after = afterKey.map(key -> place.keyPrefix() + key);
    Optional<String> continuation = Optional.empty();
    ListOrder order = new ListOrder(place.uri(), prefix, after);
    int emptyPages = 0;
    while (true) {
      Optional<String> from = continuation;
      ListObjectsV2Response page =
          calls.call(
              "list",
              prefix,
              () ->
                  requests.list(
                      asked,
                      from.isPresent() ? Optional.empty() : after,
                      from,
                      Math.min(maxEntries, MAX_PAGE_ENTRIES)));
      List<Entry> entries = entries(page, prefix, order);
      boolean more = Boolean.TRUE.equals(page.isTruncated());
      if (!entries.isEmpty() || !more) {
        return new Listing(entries, more);
      }
      // No object on this page belongs to an archive; read the next page.
      continuation = Optional.ofNullable(page.nextContinuationToken());
      emptyPages = page.contents().isEmpty() ? emptyPages + 1 : 0;
      if (continuation.isEmpty() || emptyPages > MAX_EMPTY_PAGES) {
        throw failures.endlessList(prefix);
      }
    }
  }

  private List<Entry> entries(ListObjectsV2Response page, String prefix, ListOrder order)
      throws DestinationException {
    List<Entry> entries = new ArrayList<>();
    for (S3Object object : page.contents()) {
      @Nullable Long sizeBytes = object.size();
      if (object.key() == null || sizeBytes == null) {
        throw failures.incompleteList(prefix, object.key());
      }
      order.check(object.key());
      if (object.key().startsWith(place.keyPrefix() + prefix)) {
        String key = object.key().substring(place.keyPrefix().length());
        if (ObjectKeys.problem(key).isEmpty()) {
          @Nullable Instant modified = object.lastModified();
          entries.add(new Entry(key, sizeBytes, modified == null ? 0 : modified.toEpochMilli()));
        }
      }
    }
    return entries;
  }

  @Override
  public void delete(String key) throws DestinationException {
    String full = requireWritable("delete", key);
    calls.call(
        "delete",
        key,
        () -> {
          try {
            requests.delete(full);
          } catch (S3Exception e) {
            if (!Failures.isNoSuchObject(e)) {
              throw e;
            }
          }
          return full;
        });
  }

  @Override
  public void close() {
    requests.close();
  }

  private String requireWritable(String operation, String key) throws DestinationException {
    if (intent != OpenIntent.WRITE) {
      throw new IllegalStateException(
          operation + " " + key + ": " + place.uri() + " was opened to read");
    }
    return fullKey(operation, key);
  }

  private String fullKey(String operation, String key) throws DestinationException {
    ObjectKeys.require(place.uri(), operation, key);
    String full = place.keyPrefix() + key;
    int lengthBytes = full.getBytes(StandardCharsets.UTF_8).length;
    if (lengthBytes > ObjectKeys.MAX_KEY_BYTES) {
      throw failures.keyTooLong(operation, key, lengthBytes);
    }
    return full;
  }
}
