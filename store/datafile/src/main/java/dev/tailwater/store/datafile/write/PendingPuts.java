package dev.tailwater.store.datafile.write;

import dev.tailwater.store.datafile.file.IndexTags;
import dev.tailwater.store.datafile.format.RecordData;
import org.jspecify.annotations.Nullable;

/**
 * Puts of a bulk that are appended but not seen yet, in their order and by hash, without an object
 * for each. Every one is of a key of which nothing else is pending, until somebody else asks for
 * its hash: then it becomes one of the {@link PendingKeys}. Used with the append lock held.
 */
final class PendingPuts {
  private static final int FIRST_CAPACITY = 1 << 10;

  /** Above this, room that nothing is in is given back. */
  private static final int KEPT_CAPACITY = 1 << 14;

  private static final byte PLAIN = 0;
  private static final byte TAGGED = 1;
  private static final byte KEY = 2;

  // A ring: number n is in slot n modulo the capacity, a power of two.
  private long[] hashes = new long[FIRST_CAPACITY];
  private long[] visible = new long[FIRST_CAPACITY];
  private long[] locations = new long[FIRST_CAPACITY];
  private long[] sequences = new long[FIRST_CAPACITY];
  private @Nullable RecordData[] records = new @Nullable RecordData[FIRST_CAPACITY];
  private @Nullable PendingKey[] keys = new @Nullable PendingKey[FIRST_CAPACITY];
  private byte[] kinds = new byte[FIRST_CAPACITY];

  /**
   * Of each bucket of hashes the number of the newest, and of each slot the one before it in its
   * bucket. What is below {@link #first} is not there any more, and nor is what comes before it.
   */
  private long[] newest = new long[FIRST_CAPACITY];

  private long[] older = new long[FIRST_CAPACITY];
  private long first = 1;
  private long end = 1;

  /** One that is to be published. */
  interface Publishing {
    /**
     * A key's record.
     *
     * @param from where the index has another one; {@code Location.NONE}: nowhere
     * @param tagged the same record when it has {@link IndexTags}, else null
     */
    void put(long hash, long from, long to, @Nullable RecordData tagged, long sequence);

    /** A record of a key that others have asked for. */
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

  /** Number of the first record; there is one. */
  long firstSequence() {
    return sequences[slot(first)];
  }

  /** Number of the record that is so many behind the first, or of the last when there are fewer. */
  long sequenceAhead(int count) {
    return sequences[slot(Math.min(first + count, end - 1))];
  }

  /** Reads what a look for this hash reads, so that it is near; the result is to be kept. */
  long prefetch(long hash) {
    return hashes[slot(newest[bucket(hash)])];
  }

  boolean has(long hash) {
    return find(hash) >= 0;
  }

  /** The slot; -1 when there is none, or it has become a key. */
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
   * Adds one behind the others, of whose hash there is none.
   *
   * @param from where the index has the key's record, or {@code Location.NONE}
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

  /** Somebody asks for this hash. Null when there is none, or there was somebody before. */
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
