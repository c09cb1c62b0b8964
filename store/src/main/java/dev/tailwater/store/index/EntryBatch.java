package dev.tailwater.store.index;

import java.util.Arrays;

/**
 * Entries that wait to be put into an index together, one partition after the other: so the table
 * of one is in the processor's cache, and made large enough before. Entries of the same hash stay
 * in the order in which they came. Used by one thread.
 */
public final class EntryBatch {
  /** Fewer than this are not worth being sorted. */
  private static final int FEW = Index.PARTITIONS;

  private static final int SAMPLE_STEP = 16;

  private final Index index;

  /** What an entry that adds none of its own has among its flags. */
  private final int addsNone;

  private long[] hashes = new long[FEW];
  private long[] locations = new long[FEW];
  private byte[] flags = new byte[FEW];
  private int[] order = {};
  private int count;

  /**
   * An empty one.
   *
   * @param index what they will be put into
   * @param addsNone for an entry with one of these flags no room is made
   */
  public EntryBatch(Index index, int addsNone) {
    this.index = index;
    this.addsNone = addsNone;
  }

  /** Takes one entry. */
  @FunctionalInterface
  public interface Action<E extends Exception> {
    /** One entry, with what {@link #add} was given. */
    void entry(long hash, int flags, long location) throws E;
  }

  /** Number of entries that wait. */
  public int size() {
    return count;
  }

  /**
   * Adds an entry.
   *
   * @param entryFlags of these, 8 bits are kept
   */
  public void add(long hash, int entryFlags, long location) {
    if (count == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * count);
      locations = Arrays.copyOf(locations, 2 * count);
      flags = Arrays.copyOf(flags, 2 * count);
    }
    hashes[count] = hash;
    locations[count] = location;
    flags[count++] = (byte) entryFlags;
  }

  /** Gives all entries to somebody who puts them into the index, and is empty then. */
  public <E extends Exception> void drain(Action<E> action) throws E {
    int entries = count;
    count = 0;
    if (entries < FEW) {
      for (int i = 0; i < entries; i++) {
        action.entry(hashes[i], Byte.toUnsignedInt(flags[i]), locations[i]);
      }
      return;
    }
    int[] ends = sort(entries);
    int next = 0;
    for (int partition = 0; partition < Index.PARTITIONS; partition++) {
      int end = ends[partition];
      if (next < end) {
        index.reserve(partition, absent(next, end));
      }
      for (; next < end; next++) {
        int i = order[next];
        action.entry(hashes[i], Byte.toUnsignedInt(flags[i]), locations[i]);
      }
    }
  }

  /** Fills in the order, and returns where each partition ends there. */
  private int[] sort(int entries) {
    if (order.length < entries) {
      order = new int[hashes.length];
    }
    int[] ends = new int[Index.PARTITIONS];
    for (int i = 0; i < entries; i++) {
      ends[Index.partitionOf(hashes[i])]++;
    }
    int begin = 0;
    for (int partition = 0; partition < Index.PARTITIONS; partition++) {
      int size = ends[partition];
      ends[partition] = begin;
      begin += size;
    }
    for (int i = 0; i < entries; i++) {
      order[ends[Index.partitionOf(hashes[i])]++] = i;
    }
    return ends;
  }

  /** About how many entries will be new, as a sample says: looking for each would take too long. */
  private int absent(int from, int to) {
    int absent = 0;
    for (int next = from; next < to; next += SAMPLE_STEP) {
      int i = order[next];
      if ((flags[i] & addsNone) == 0 && index.find(hashes[i]) == Location.NONE) {
        absent++;
      }
    }
    return Math.min(to - from, absent * SAMPLE_STEP);
  }
}
