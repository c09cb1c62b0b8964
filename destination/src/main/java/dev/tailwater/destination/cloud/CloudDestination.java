package dev.tailwater.destination.cloud;

import dev.tailwater.destination.Capabilities;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.list.ListOrder;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A destination in an object store. Most calls send one request. A put needs the caller's buffer
 * and a few KiB of its own. Thread-safe.
 */
public final class CloudDestination implements Destination {
  /** The page size of S3, and at most that of the other stores. */
  private static final int MAX_PAGE_ENTRIES = 1000;

  /** The limit of consecutive empty pages, after which a list that never ends counts as broken. */
  private static final int MAX_EMPTY_PAGES = 100;

  /** The recommended age: each put is billed. */
  public static final long MAX_AGE_MILLIS = 5000;

  /** The recommended length of merged segments. */
  public static final long MERGE_BYTES = 64L << 20;

  private final CloudPlace place;
  private final OpenIntent intent;
  private final ObjectStore store;
  private final CloudFailures<?> failures;
  private final TimeLimits limits;
  private final ThrottledCalls calls;

  /** Makes a destination from a store, which it closes. */
  public CloudDestination(
      CloudPlace place,
      OpenIntent intent,
      ObjectStore store,
      CloudFailures<?> failures,
      TimeLimits limits) {
    this.place = place;
    this.intent = intent;
    this.store = store;
    this.failures = failures;
    this.limits = limits;
    this.calls = new ThrottledCalls(Throttle.create(), failures);
  }

  @Override
  public URI uri() {
    return place.uri();
  }

  @Override
  public Capabilities capabilities() {
    // What is retained would be there, and be billed, beside the longer segment.
    return new Capabilities(Integer.MAX_VALUE, MAX_AGE_MILLIS, place.retains() ? 0 : MERGE_BYTES);
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    String name = requireWritable("put", key);
    return calls.call("put", key, () -> store.create(name, content.asReadOnlyBuffer()));
  }

  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    return new PartedUpload(store, calls, key, requireWritable("upload", key));
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    String name = requireWritable("put", key);
    calls.run("put", key, () -> store.replace(name, ByteBuffer.wrap(content).asReadOnlyBuffer()));
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    String name = fullName("read", key);
    ByteRange range = new ByteRange(offsetBytes, lengthBytes);
    return switch (calls.call("read", key, () -> store.read(name, range.header()))) {
      case StoredObject.Missing _ -> throw new NoSuchObjectException(place.uri(), key);
      case StoredObject.BeyondEnd _ -> InputStream.nullInputStream();
      case StoredObject.Found answer -> opened(key, range, answer);
    };
  }

  private InputStream opened(String key, ByteRange range, StoredObject.Found answer)
      throws DestinationException {
    if (range.lengthBytes() == 0) {
      // The request was for one byte, only to learn whether the object exists.
      answer.abort().run();
      return InputStream.nullInputStream();
    }
    if (!range.isAnsweredBy(answer)) {
      answer.abort().run();
      throw failures.otherRange(key, range.header(), answer.contentRange());
    }
    return new ObjectBody(answer, place.uri(), key, range.lengthBytes(), limits, System::nanoTime);
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
    String asked = place.prefix() + prefix.replaceFirst("(?<=^|/)\\.{1,2}$", "");
    Optional<String> after = afterKey.map(key -> place.prefix() + key);
    ListOrder order = new ListOrder(place.uri(), prefix, after);
    Optional<String> last = after;
    Optional<String> continuation = Optional.empty();
    int emptyPages = 0;
    while (true) {
      Optional<String> from = continuation;
      // A continuation belongs to the request that it came from.
      Optional<String> behind = from.isPresent() ? after : last;
      ListPage page =
          calls.call(
              "list",
              prefix,
              () -> store.list(asked, behind, from, Math.min(maxEntries, MAX_PAGE_ENTRIES)));
      List<Entry> entries = entries(page, prefix, order);
      if (!entries.isEmpty() || !page.more()) {
        return new Listing(entries, page.more());
      }
      // No object on this page belongs to an archive; read the next page.
      continuation = page.continuation();
      emptyPages = page.objects().isEmpty() ? emptyPages + 1 : 0;
      if (!page.objects().isEmpty()) {
        last = page.objects().getLast().name();
      }
      if (continuation.isEmpty() && page.objects().isEmpty()) {
        throw failures.endlessList(prefix);
      }
      if (emptyPages > MAX_EMPTY_PAGES) {
        throw failures.emptyList(prefix, emptyPages);
      }
    }
  }

  private List<Entry> entries(ListPage page, String prefix, ListOrder order)
      throws DestinationException {
    List<Entry> entries = new ArrayList<>();
    for (ListPage.Item object : page.objects()) {
      if (object.name().isEmpty() || object.sizeBytes().isEmpty()) {
        throw failures.incompleteList(prefix, object.name());
      }
      String name = object.name().get();
      order.check(name);
      if (name.startsWith(place.prefix() + prefix)) {
        String key = name.substring(place.prefix().length());
        if (ObjectKeys.problem(key).isEmpty()) {
          entries.add(new Entry(key, object.sizeBytes().getAsLong(), object.modifiedMillis()));
        }
      }
    }
    return entries;
  }

  @Override
  public void delete(String key) throws DestinationException {
    String name = requireWritable("delete", key);
    calls.run("delete", key, () -> store.remove(name));
  }

  @Override
  public void close() {
    store.close();
  }

  private String requireWritable(String operation, String key) throws DestinationException {
    if (intent != OpenIntent.WRITE) {
      throw new IllegalStateException(
          operation + " " + key + ": " + place.uri() + " was opened to read");
    }
    return fullName(operation, key);
  }

  private String fullName(String operation, String key) throws DestinationException {
    ObjectKeys.require(place.uri(), operation, key);
    String name = place.prefix() + key;
    int lengthBytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (lengthBytes > ObjectKeys.MAX_KEY_BYTES) {
      throw failures.keyTooLong(operation, key, lengthBytes);
    }
    return name;
  }
}
