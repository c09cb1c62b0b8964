package dev.tailwater.destination.testkit;

import dev.tailwater.destination.Capabilities;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A destination in the heap, for tests. Its objects exist as long as it does, even after a close: a
 * test reopens "the place" by using the destination again. Thread-safe.
 */
public final class InMemoryDestination implements Destination {
  private static final long MERGE_BYTES = 64L << 20;

  private final InstantSource clock;
  private final URI uri;

  /** The prefix of every key in {@link #objects}; empty, or with a slash at its end. */
  private final String root;

  private final ConcurrentNavigableMap<String, Stored> objects;

  private InMemoryDestination(
      InstantSource clock, String root, ConcurrentNavigableMap<String, Stored> objects) {
    this.clock = clock;
    this.uri = URI.create("memory:/" + root);
    this.root = root;
    this.objects = objects;
  }

  /** Creates an empty destination. */
  public static InMemoryDestination create() {
    return create(InstantSource.system());
  }

  /** Creates an empty destination whose objects get their times from this clock. */
  public static InMemoryDestination create(InstantSource clock) {
    return new InMemoryDestination(clock, "", new ConcurrentSkipListMap<>(ObjectKeys.ORDER));
  }

  /** Returns a destination with the same objects whose URI ends with the given folder. */
  public InMemoryDestination folder(String name) {
    return new InMemoryDestination(clock, root + name + "/", objects);
  }

  /** A stored object, which never changes after its creation. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Stored(byte[] content, long modifiedMillis) {}

  private Stored stored(byte[] ownCopy) {
    return new Stored(ownCopy, clock.millis());
  }

  /**
   * Returns a copy of all objects, including those in other folders, by whole keys in their order.
   */
  public SortedMap<String, byte[]> snapshot() {
    TreeMap<String, byte[]> copy = new TreeMap<>(ObjectKeys.ORDER);
    objects.forEach((key, stored) -> copy.put(key, stored.content.clone()));
    return Collections.unmodifiableSortedMap(copy);
  }

  @Override
  public URI uri() {
    return uri;
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(Integer.MAX_VALUE, 1000, MERGE_BYTES);
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    ObjectKeys.require(uri, "put", key);
    byte[] copy = new byte[content.remaining()];
    content.get(content.position(), copy);
    return objects.putIfAbsent(root + key, stored(copy)) == null
        ? PutResult.CREATED
        : PutResult.ALREADY_EXISTS;
  }

  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    ObjectKeys.require(uri, "put", key);
    return new Upload(key);
  }

  private final class Upload implements SegmentUpload {
    private final String key;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private boolean over;

    Upload(String key) {
      this.key = key;
    }

    private void requireOpen() {
      if (over) {
        throw new IllegalStateException(key + " is committed or closed");
      }
    }

    @Override
    public void write(ByteBuffer piece) {
      requireOpen();
      byte[] copy = new byte[piece.remaining()];
      piece.get(piece.position(), copy);
      content.writeBytes(copy);
    }

    @Override
    public PutResult commit() throws DestinationException {
      requireOpen();
      over = true;
      return putSegment(key, ByteBuffer.wrap(content.toByteArray()));
    }

    @Override
    public void close() {
      over = true;
    }
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    ObjectKeys.require(uri, "read", key);
    if (offsetBytes < 0 || lengthBytes < 0) {
      throw new IllegalArgumentException("range " + offsetBytes + "+" + lengthBytes);
    }
    Stored stored = objects.get(root + key);
    if (stored == null) {
      throw new NoSuchObjectException(uri, key);
    }
    int from = (int) Math.min(offsetBytes, stored.content.length);
    int length = (int) Math.min(lengthBytes, stored.content.length - from);
    return new ByteArrayInputStream(stored.content, from, length);
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries) {
    if (maxEntries < 1) {
      throw new IllegalArgumentException("maxEntries " + maxEntries);
    }
    NavigableMap<String, Stored> later =
        afterKey.isPresent() && ObjectKeys.ORDER.compare(afterKey.get(), prefix) >= 0
            ? objects.tailMap(root + afterKey.get(), false)
            : objects.tailMap(root + prefix, true);
    List<Entry> entries = new ArrayList<>();
    for (var object : later.entrySet()) {
      // Keys with a common prefix are adjacent.
      if (!object.getKey().startsWith(root + prefix)) {
        break;
      }
      if (entries.size() == maxEntries) {
        return new Listing(entries, true);
      }
      Stored stored = object.getValue();
      String key = object.getKey().substring(root.length());
      entries.add(new Entry(key, stored.content.length, stored.modifiedMillis));
    }
    return new Listing(entries, false);
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    ObjectKeys.require(uri, "put", key);
    objects.put(root + key, stored(content.clone()));
  }

  @Override
  public void delete(String key) throws DestinationException {
    ObjectKeys.require(uri, "delete", key);
    objects.remove(root + key);
  }

  @Override
  public void close() {}
}
