package dev.tailwater.store.datafile.index;

import java.util.Arrays;

/** Some entries that follow each other by ascending unsigned hash. Used by one thread at a time. */
public final class EntryBuffer {
  private final int wanted;
  private long[] words;
  private int size;
  private boolean atEnd;
  private long nextHash;

  /** Takes about so many; more, where they have one hash. */
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

  /** Whether no more entries follow. */
  public boolean isAtEnd() {
    return atEnd;
  }

  /** The hash of the entry that follows. */
  public long nextHash() {
    return nextHash;
  }

  void clear() {
    size = 0;
    atEnd = true;
  }

  /** False when it is full: then the next time begins with this hash. */
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
