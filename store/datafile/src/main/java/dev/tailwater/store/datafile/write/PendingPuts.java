package dev.tailwater.store.datafile.write;

import dev.tailwater.store.datafile.file.IndexTags;
import dev.tailwater.store.datafile.format.RecordData;
import org.jspecify.annotations.Nullable;

/**
 * The puts of bulk writes that are appended but not visible yet, in their order and by hash,
 * without an object for each. Each is of a key of which nothing else is pending; when another write
 * asks for its hash, it becomes a {@link PendingKey}. Used with the append lock held.
 */
final class PendingPuts {
  private static final int FIRST_CAPACITY = 1 << 10;

  /** Above this capacity, empty arrays are replaced by small ones. */
  private static final int KEPT_CAPACITY = 1 << 14;

  private static final byte PLAIN = 0;
  private static final byte TAGGED = 1;
  private static final byte KEY = 2;

  // A ring buffer: number n is in slot n modulo the capacity, a power of two.
  private long[] hashes = new long[FIRST_CAPACITY];
  private long[] visible = new long[FIRST_CAPACITY];
  private long[] locations = new long[FIRST_CAPACITY];
  private long[] sequences = new long[FIRST_CAPACITY];
  private @Nullable RecordData[] records = new @Nullable RecordData[FIRST_CAPACITY];
  private @Nullable PendingKey[] keys = new @Nullable PendingKey[FIRST_CAPACITY];
  private byte[] kinds = new byte[FIRST_CAPACITY];

  /**
   * For each bucket of hashes the number of its newest put, and for each slot the number of the put
   * before it in its bucket. Numbers below {@link #first} are not there any more, nor is anything
   * before them.
   */
  private long[] newest = new long[FIRST_CAPACITY];

  private long[] older = new long[FIRST_CAPACITY];
  private long first = 1;
  private long end = 1;

  /** Receives puts that become visible. */
  interface Publishing {
    /**
     * Receives the record of a key.
     *
     * @param from location of the record that it replaces; {@code Location.NONE}: none
     * @param tagged the record if it has {@link IndexTags}, else null
     */
    void put(long hash, long from, long to, @Nullable RecordData tagged, long sequence);

    /** Receives the record of a key that other writes have asked for. */
    void put(PendingKey key, long to, RecordData data, long sequence);
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

  /** Returns the number of the first record, which must exist. */
  long firstSequence() {
    return sequences[slot(first)];
  }

  /** Returns the number of the record this many after the first, or of the last. */
  long sequenceAhead(int count) {
    return sequences[slot(Math.min(first + count, end - 1))];
  }

  /** Prefetches what a lookup of this hash reads; the caller must use the result. */
  long prefetch(long hash) {
    return hashes[slot(newest[bucket(hash)])];
  }

  boolean has(long hash) {
    return find(hash) >= 0;
  }

  /** Returns the slot; -1 when there is none, or it has become a key. */
  private int find(long hash) {
    long number = newest[bucket(hash)];
    while (number >= first) {
      int slot = slot(number);
      if (hashes[slot] == hash) {
        return kinds[slot] == KEY ? -1 : slot;
      }
      number = older[slot];
    }
    return -1;
  }

  /**
   * Adds a put of a hash that has no other.
   *
   * @param from location of the key's record in the index, or {@code Location.NONE}
   */
  void add(long hash, long from, long to, RecordData data, long sequence) {
    if (end - first == hashes.length) {
      resize(2 * hashes.length);
    }
    int slot = slot(end);
    hashes[slot] = hash;
    visible[slot] = from;
    locations[slot] = to;
    sequences[slot] = sequence;
    records[slot] = data;
    kinds[slot] = IndexTags.has(data) ? TAGGED : PLAIN;
    link(end++);
  }

  private void link(long number) {
    int slot = slot(number);
    int bucket = bucket(hashes[slot]);
    older[slot] = newest[bucket];
    newest[bucket] = number;
  }

  private void resize(int capacity) {
    PendingPuts old = new PendingPuts();
    old.hashes = hashes;
    old.visible = visible;
    old.locations = locations;
    old.sequences = sequences;
    old.records = records;
    old.keys = keys;
    old.kinds = kinds;
    hashes = new long[capacity];
    visible = new long[capacity];
    locations = new long[capacity];
    sequences = new long[capacity];
    records = new @Nullable RecordData[capacity];
    keys = new @Nullable PendingKey[capacity];
    kinds = new byte[capacity];
    newest = new long[capacity];
    older = new long[capacity];
    for (long number = first; number < end; number++) {
      int from = old.slot(number);
      int to = slot(number);
      hashes[to] = old.hashes[from];
      visible[to] = old.visible[from];
      locations[to] = old.locations[from];
      sequences[to] = old.sequences[from];
      records[to] = old.records[from];
      keys[to] = old.keys[from];
      kinds[to] = old.kinds[from];
      link(number);
    }
  }

  /** Makes the put of this hash a key; returns null when there is none, or it is a key already. */
  @Nullable PendingKey becomeKey(long hash) {
    int slot = find(hash);
    RecordData data = slot < 0 ? null : records[slot];
    if (data == null) {
      return null;
    }
    PendingKey key = PendingKey.of(hash, visible[slot], data, sequences[slot]);
    keys[slot] = key;
    kinds[slot] = KEY;
    return key;
  }

  /** Called when the vacuum has moved or removed a record that the index has. */
  void moved(long hash, long from, long to) {
    int slot = find(hash);
    if (slot >= 0 && visible[slot] == from) {
      visible[slot] = to;
    }
  }

  /** Removes the first put and passes it on. */
  void publishFirst(Publishing publishing) {
    int slot = slot(first);
    if (kinds[slot] == PLAIN) {
      publishing.put(hashes[slot], visible[slot], locations[slot], null, sequences[slot]);
    } else {
      publishRare(slot, publishing);
    }
    records[slot] = null;
    first++;
    if (isEmpty() && hashes.length > KEPT_CAPACITY) {
      resize(FIRST_CAPACITY);
    }
  }

  private void publishRare(int slot, Publishing publishing) {
    RecordData data = records[slot];
    if (data == null) {
      throw new IllegalStateException("nothing is pending");
    }
    PendingKey key = keys[slot];
    if (key == null) {
      publishing.put(hashes[slot], visible[slot], locations[slot], data, sequences[slot]);
    } else {
      publishing.put(key, locations[slot], data, sequences[slot]);
      keys[slot] = null;
    }
  }
}
