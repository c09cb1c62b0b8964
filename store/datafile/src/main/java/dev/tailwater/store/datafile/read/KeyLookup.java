package dev.tailwater.store.datafile.read;

import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.IndexTags;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.index.Locations;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lookup of a key's record: asks the index, reads, compares the key. Thread-safe; takes no
 * lock.
 */
public final class KeyLookup {
  private final Locations index;
  private final RecordFetcher fetcher;
  private final KeyHash hash;

  public KeyLookup(Locations index, RecordFetcher fetcher, KeyHash hash) {
    this.index = index;
    this.fetcher = fetcher;
    this.hash = hash;
  }

  public long hash(byte[] key) {
    return hash.hash(key);
  }

  /** Reads the key's record to the beginning of the buffer; returns false when there is none. */
  public boolean find(byte[] key, ReadBuffer into) throws IOException {
    return find(key, hash.hash(key), into);
  }

  /** Returns the key's value; null when there is none, or it has expired. */
  byte @Nullable [] value(byte[] key, ReadBuffer into, InstantSource clock) throws IOException {
    long hashed = hash.hash(key);
    long location = index.find(hashed);
    if (location == Location.NONE) {
      return null;
    }
    DataFile file = fileAt(location);
    if (file == null) {
      return fetchedValue(key, hashed, into, clock);
    }
    try {
      byte @Nullable [] value = fetcher.mappedValue(file, location, key, into);
      // Inside the try: the JVM reports unreadable mapped memory by the next call at the latest.
      return value == null ? fetchedValue(key, hashed, into, clock) : value;
    } catch (InternalError error) {
      fetcher.unreadable(file, error);
      return fetchedValue(key, hashed, into, clock);
    }
  }

  private byte @Nullable [] fetchedValue(
      byte[] key, long hashed, ReadBuffer into, InstantSource clock) throws IOException {
    return find(key, hashed, into) && !into.isExpired(clock)
        ? into.bytes().value(0, into.header())
        : null;
  }

  private boolean find(byte[] key, long hashed, ReadBuffer into) throws IOException {
    while (true) {
      long location = index.find(hashed);
      if (location == Location.NONE) {
        return false;
      }
      if (location == Index.SEVERAL) {
        return state(key, hashed, true, into).own() >= 0;
      }
      switch (fetcher.fetch(location, into)) {
        case THERE -> {
          return into.bytes().keyIs(0, into.header(), key);
        }
        case GONE -> Thread.onSpinWait();
        case DAMAGED -> {
          // Unless the vacuum has moved the record meanwhile.
          if (index.find(hashed) == location) {
            throw fetcher.damaged(location, "the record is not as it was written");
          }
        }
      }
    }
  }

  /**
   * Returns the location of the key's record, if that is the only one of its hash and has neither
   * tags nor expiry; {@link Location#NONE} when there is none of its hash; else {@link
   * Index#SEVERAL}, and the caller has to use {@link #state}.
   */
  public long own(byte[] key, long hashed, ReadBufferPool buffers) throws IOException {
    return ownAt(index.find(hashed), key, buffers);
  }

  /** As {@link #own}, when this is the location that the index has for the key's hash. */
  public long ownAt(long location, byte[] key, ReadBufferPool buffers) throws IOException {
    if (location == Location.NONE || location == Index.SEVERAL) {
      return location;
    }
    ReadBuffer buffer = buffers.take();
    try {
      boolean isOwn = fetcher.hasKey(location, key, buffer) && !hasIndexTags(buffer.header());
      return isOwn ? location : Index.SEVERAL;
    } finally {
      buffers.giveBack(buffer);
    }
  }

  private static boolean hasIndexTags(RecordHeader header) {
    return header.has(RecordHeader.TAGS) || header.has(RecordHeader.EXPIRY);
  }

  /** The result of a lookup without a system call. */
  enum Found {
    /** Its record is at the beginning of the buffer. */
    YES,
    NO,
    /** Only a system call can tell. */
    UNREAD
  }

  /**
   * As {@link #find}, if that takes no system call. Otherwise {@link ReadBuffer#location} is what
   * the index has for the key.
   */
  Found findQuickly(byte[] key, ReadBuffer into) throws IOException {
    long location = index.find(hash.hash(key));
    into.location = location;
    if (location == Location.NONE) {
      return Found.NO;
    }
    if (location == Index.SEVERAL
        || fetcher.fetchQuickly(location, into) != RecordFetcher.Outcome.THERE) {
      return Found.UNREAD;
    }
    return into.bytes().keyIs(0, into.header(), key) ? Found.YES : Found.NO;
  }

  /** Returns the file of a location; null when it is gone, or there are several locations. */
  @Nullable DataFile fileAt(long location) {
    return location == Index.SEVERAL ? null : fetcher.fileAt(location);
  }

  /** Reads a record that nobody can remove to the beginning of the buffer. */
  void fetchKept(long location, ReadBuffer into) throws IOException {
    if (fetcher.fetch(location, into) != RecordFetcher.Outcome.THERE) {
      throw fetcher.damaged(location, "the record is not as it was written");
    }
  }

  /**
   * Reads the bytes of a run of records that nobody can remove to the buffer.
   *
   * @return how many bytes are there
   */
  int read(LocationRuns run, ReadBuffer into) throws IOException {
    return fetcher.read(run.location(0), run.lengthBytes(), into);
  }

  /**
   * Returns whether a whole record begins at {@code from} in the buffer, which then has its header.
   *
   * @param readBytes how many bytes there are from there on
   */
  boolean isWhole(long location, int from, int readBytes, ReadBuffer buffer) {
    return fetcher.isWhole(location, from, readBytes, buffer);
  }

  /** Reads the record with this hash and number to the buffer, if the index has it. */
  boolean findRecord(long hashed, long sequence, ReadBuffer into) throws IOException {
    for (long location : locations(hashed, into)) {
      fetchKept(location, into);
      if (into.header().sequence() == sequence) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the state of a key.
   *
   * @param withData whether to read its record, which then is at the beginning of the buffer
   */
  public KeyState state(byte[] key, long hashed, boolean withData, ReadBuffer buffer)
      throws IOException {
    while (true) {
      long[] seen = locations(hashed, buffer);
      @Nullable KeyState state = stateAt(key, hashed, seen, withData, buffer);
      if (state != null) {
        return state;
      }
    }
  }

  private long[] locations(long hashed, ReadBuffer buffer) {
    int count = index.findAll(hashed, buffer.locations);
    while (count > buffer.locations.length) {
      buffer.locations = new long[2 * count];
      count = index.findAll(hashed, buffer.locations);
    }
    return Arrays.copyOf(buffer.locations, count);
  }

  /** Returns null when the index has changed. */
  private @Nullable KeyState stateAt(
      byte[] key, long hashed, long[] seen, boolean withData, ReadBuffer buffer)
      throws IOException {
    for (int i = 0; i < seen.length; i++) {
      if (withData) {
        switch (fetcher.fetch(seen[i], buffer)) {
          case THERE -> {
            if (buffer.bytes().keyIs(0, buffer.header(), key)) {
              RecordData data = buffer.bytes().data(0, buffer.header());
              long sequence = buffer.header().sequence();
              return new KeyState(key, hashed, seen, i, data, sequence, IndexTags.of(data));
            }
          }
          case GONE -> {
            return null;
          }
          case DAMAGED -> {
            if (Arrays.equals(seen, locations(hashed, buffer))) {
              throw fetcher.damaged(seen[i], "the record is not as it was written");
            }
            return null;
          }
        }
      } else if (fetcher.hasKey(seen[i], key, buffer)) {
        long sequence = buffer.header().sequence();
        return new KeyState(key, hashed, seen, i, null, sequence, indexTags(seen[i], buffer));
      }
    }
    return new KeyState(key, hashed, seen, -1, null, 0, List.of());
  }

  /**
   * Returns the index tags of the record whose header is in the buffer. Those of a damaged record
   * stay in the tag index.
   */
  private List<String> indexTags(long location, ReadBuffer buffer) throws IOException {
    RecordHeader header = buffer.header();
    if (!hasIndexTags(header)) {
      return List.of();
    }
    // The tags are behind the key, and only the key was read.
    boolean isThere = fetcher.fetch(location, buffer) == RecordFetcher.Outcome.THERE;
    return isThere ? IndexTags.of(buffer.bytes().data(0, header)) : List.of();
  }
}
