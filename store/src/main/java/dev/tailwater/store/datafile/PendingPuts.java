package dev.tailwater.store.datafile;

import dev.tailwater.store.segment.RecordData;
import org.jspecify.annotations.Nullable;

/**
 * Puts of a bulk that are appended but not seen yet, in their order and by hash, without an object
 * for each. Every one is of a key of which nothing else is pending, until somebody else asks for
 * its hash: then it becomes one of the {@link PendingKeys}. Used with the append lock held.
 */
final class PendingPuts {
  private static final int FIRST_CAPACITY = 1 << 10;

  /** Above this, room that nothing is in is given back. */
  private static final int KEPT_CAPACITY = 1 << 17;

  // A ring: number n is in slot n modulo the capacity, a power of two.
  private long[] hashes = new long[FIRST_CAPACITY];
  private long[] visible = new long[FIRST_CAPACITY];
  private long[] locations = new long[FIRST_CAPACITY];
  private long[] sequences = new long[FIRST_CAPACITY];
  private @Nullable RecordData[] records = new @Nullable RecordData[FIRST_CAPACITY];
  private PendingKeys.@Nullable Key[] keys = new PendingKeys.@Nullable Key[FIRST_CAPACITY];

  /** Of each bucket of hashes the slot of the newest, from 1; and the one behind each slot. */
  private int[] newest = new int[FIRST_CAPACITY];

  private int[] next = new int[FIRST_CAPACITY];
  private long first;
  private long end;

  /** One that is to be published. */
  interface Publishing {
    /** A key's record; it had another one at a location, or none. */
    void put(long hash, long from, long to, RecordData data, long sequence);

    /** A record of a key that others have asked for. */
    void put(PendingKeys.Key key, long to, RecordData data, long sequence);
  }

  private int slot(long number) {
    return (int) number & hashes.length - 1;
  }

  private int bucket(long hash) {
    return (int) hash & newest.length - 1;
  }

  boolean isEmpty() {
    return first == end;
  }

  /** Number of the first record; there is one. */
  long firstSequence() {
    return sequences[slot(first)];
  }

  /** Hash of the one that is so many behind the first; 0 when there is none. */
  long hashAhead(int count) {
    return first + count < end ? hashes[slot(first + count)] : 0;
  }

  boolean has(long hash) {
    return find(hash) >= 0;
  }

  /** The slot; -1 when there is none, or it has become a key. */
  private int find(long hash) {
    if (isEmpty()) {
      return -1;
    }
    int slot = newest[bucket(hash)] - 1;
    while (slot >= 0 && hashes[slot] != hash) {
      slot = next[slot] - 1;
    }
    return slot;
  }

  /**
   * Adds one behind the others, of whose hash there is none.
   *
   * @param from where the index has the key's record, or {@code Location.NONE}
   */
  void add(long hash, long from, long to, RecordData data, long sequence) {
    if (end - first == hashes.length) {
      resize(2 * hashes.length);
    }
    int slot = slot(end++);
    hashes[slot] = hash;
    visible[slot] = from;
    locations[slot] = to;
    sequences[slot] = sequence;
    records[slot] = data;
    link(slot);
  }

  private void link(int slot) {
    int bucket = bucket(hashes[slot]);
    next[slot] = newest[bucket];
    newest[bucket] = slot + 1;
  }

  private void unlink(int slot) {
    int bucket = bucket(hashes[slot]);
    int at = newest[bucket] - 1;
    if (at == slot) {
      newest[bucket] = next[slot];
      return;
    }
    while (next[at] - 1 != slot) {
      at = next[at] - 1;
    }
    next[at] = next[slot];
  }

  private void resize(int capacity) {
    PendingPuts old = new PendingPuts();
    old.hashes = hashes;
    old.visible = visible;
    old.locations = locations;
    old.sequences = sequences;
    old.records = records;
    old.keys = keys;
    hashes = new long[capacity];
    visible = new long[capacity];
    locations = new long[capacity];
    sequences = new long[capacity];
    records = new @Nullable RecordData[capacity];
    keys = new PendingKeys.@Nullable Key[capacity];
    newest = new int[capacity];
    next = new int[capacity];
    for (long number = first; number < end; number++) {
      int from = old.slot(number);
      int to = slot(number);
      hashes[to] = old.hashes[from];
      visible[to] = old.visible[from];
      locations[to] = old.locations[from];
      sequences[to] = old.sequences[from];
      records[to] = old.records[from];
      keys[to] = old.keys[from];
      if (keys[to] == null) {
        link(to);
      }
    }
  }

  /** Somebody asks for this hash. Null when there is none, or there was somebody before. */
  PendingKeys.@Nullable Key becomeKey(long hash) {
    int slot = find(hash);
    RecordData data = slot < 0 ? null : records[slot];
    if (data == null) {
      return null;
    }
    unlink(slot);
    PendingKeys.Key key = PendingKeys.Key.of(hash, visible[slot], data, sequences[slot]);
    keys[slot] = key;
    return key;
  }

  /** A record that the index has was written elsewhere, or taken away. */
  void moved(long hash, long from, long to) {
    int slot = find(hash);
    if (slot >= 0 && visible[slot] == from) {
      visible[slot] = to;
    }
  }

  /** Takes the first away. */
  void publishFirst(Publishing publishing) {
    int slot = slot(first);
    RecordData data = records[slot];
    if (data == null) {
      throw new IllegalStateException("nothing is pending");
    }
    PendingKeys.Key key = keys[slot];
    if (key == null) {
      publishing.put(hashes[slot], visible[slot], locations[slot], data, sequences[slot]);
      unlink(slot);
    } else {
      publishing.put(key, locations[slot], data, sequences[slot]);
    }
    records[slot] = null;
    keys[slot] = null;
    first++;
    if (isEmpty() && hashes.length > KEPT_CAPACITY) {
      resize(FIRST_CAPACITY);
    }
  }
}
