package dev.tailwater.store.datafile.index;

import java.util.Arrays;

/** A buffer of consecutive entries by ascending unsigned hash. Used by one thread at a time. */
public final class EntryBuffer {
  private final int wanted;
  private long[] words;
  private int size;
  private boolean atEnd;
  private long nextHash;

  /** Creates a buffer for about this many entries; it takes more where they have the same hash. */
  public EntryBuffer(int wanted) {
    this.wanted = wanted;
    this.words = new long[2 * wanted];
  }

  /** Number of entries. */
  public int size() {
    return size;
  }

  /** The hash of an entry. */
  public long hash(int entry) {
    return words[2 * entry];
  }

  /** The location of an entry. */
  public long location(int entry) {
    return words[2 * entry + 1];
  }

  /** Returns whether no more entries follow. */
  public boolean isAtEnd() {
    return atEnd;
  }

  /** Returns the hash of the next entry. */
  public long nextHash() {
    return nextHash;
  }

  void clear() {
    size = 0;
    atEnd = true;
  }

  /**
   * Adds an entry; returns false when the buffer is full, and the next filling begins with this
   * hash.
   */
  boolean add(long hash, long location) {
    if (size >= wanted && hash != hash(size - 1)) {
      atEnd = false;
      nextHash = hash;
      return false;
    }
    if (2 * size == words.length) {
      words = Arrays.copyOf(words, 2 * words.length);
    }
    words[2 * size] = hash;
    words[2 * size + 1] = location;
    size++;
    return true;
  }
}
