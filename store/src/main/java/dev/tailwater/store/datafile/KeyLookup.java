package dev.tailwater.store.datafile;

import dev.tailwater.store.index.Index;
import dev.tailwater.store.index.KeyHash;
import dev.tailwater.store.index.Location;
import dev.tailwater.store.index.Locations;
import dev.tailwater.store.segment.RecordData;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds the record of a key: index, read, comparison. Thread-safe; takes no lock. */
final class KeyLookup {
  private final Locations index;
  private final RecordFetcher fetcher;
  private final KeyHash hash;

  KeyLookup(Locations index, RecordFetcher fetcher, KeyHash hash) {
    this.index = index;
    this.fetcher = fetcher;
    this.hash = hash;
  }

  long hash(byte[] key) {
    return hash.hash(key);
  }

  /** Brings the key's record to the beginning of the buffer; false when there is none. */
  boolean find(byte[] key, ReadBuffer into) throws IOException {
    long hashed = hash.hash(key);
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
          // Unless the record was moved, and its file is another by now.
          if (index.find(hashed) == location) {
            throw fetcher.damaged(location, "the record is not as it was written");
          }
        }
      }
    }
  }

  /**
   * Where the key's record is, if that is the only one of its hash; {@link Location#NONE} when
   * there is none of its hash; else {@link Index#SEVERAL}, and {@link #state} has to be asked.
   */
  long own(byte[] key, long hashed, ReadBufferPool buffers) throws IOException {
    long location = index.find(hashed);
    if (location == Location.NONE || location == Index.SEVERAL) {
      return location;
    }
    ReadBuffer buffer = buffers.take();
    try {
      return fetcher.hasKey(location, key, buffer) ? location : Index.SEVERAL;
    } finally {
      buffers.giveBack(buffer);
    }
  }

  /** What is known of a key without a system call. */
  enum Found {
    /** Its record is at the beginning of the buffer. */
    YES,
    NO,
    /** Only a system call can tell. */
    UNREAD
  }

  /**
   * As {@link #find}, if that takes no system call. Otherwise {@link ReadBuffer#location} says what
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

  /** The file of a location; null when it is gone, or there are several locations. */
  @Nullable DataFile fileAt(long location) {
    return location == Index.SEVERAL ? null : fetcher.fileAt(location);
  }

  /** Brings a record that nobody can take away to the beginning of the buffer. */
  void fetchKept(long location, ReadBuffer into) throws IOException {
    if (fetcher.fetch(location, into) != RecordFetcher.Outcome.THERE) {
      throw fetcher.damaged(location, "the record is not as it was written");
    }
  }

  /**
   * What there is of a key.
   *
   * @param withData whether its record is wanted, which then is at the beginning of the buffer
   */
  KeyState state(byte[] key, long hashed, boolean withData, ReadBuffer buffer) throws IOException {
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

  /** Null when the index has changed. */
  private @Nullable KeyState stateAt(
      byte[] key, long hashed, long[] seen, boolean withData, ReadBuffer buffer)
      throws IOException {
    for (int i = 0; i < seen.length; i++) {
      if (withData) {
        switch (fetcher.fetch(seen[i], buffer)) {
          case THERE -> {
            if (buffer.bytes().keyIs(0, buffer.header(), key)) {
              RecordData data = buffer.bytes().data(0, buffer.header());
              return new KeyState(key, hashed, seen, i, data, buffer.header().sequence());
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
        return new KeyState(key, hashed, seen, i, null, 0);
      }
    }
    return new KeyState(key, hashed, seen, -1, null, 0);
  }
}
