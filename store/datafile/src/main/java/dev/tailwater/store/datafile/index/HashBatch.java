package dev.tailwater.store.datafile.index;

import java.util.Arrays;

/**
 * Hashes, with a location each, that are looked up or added together. That goes by partition: of
 * each table, what it says of itself is read once, and the processor waits for several of its slots
 * at the same time. Used by one thread at a time.
 */
public final class HashBatch {
  private long[] hashes;
  private long[] locations;

  /** Their numbers, by partition. */
  private int[] order;

  private final int[] ends = new int[Index.PARTITIONS];
  private int size;

  @SuppressWarnings("unused") // written only, so that it is read
  private long near;

  /** Takes more than these when it must. */
  public HashBatch(int capacity) {
    hashes = new long[capacity];
    locations = new long[capacity];
    order = new int[capacity];
  }

  /** Number of hashes. */
  public int size() {
    return size;
  }

  /** One of the hashes, from 0. */
  public long hash(int number) {
    return hashes[number];
  }

  /** Its location. */
  public long location(int number) {
    return locations[number];
  }

  /** Gives it another location. */
  public void setLocation(int number, long location) {
    locations[number] = location;
  }

  /** One more. */
  public void add(long hash, long location) {
    if (size == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * size);
      locations = Arrays.copyOf(locations, 2 * size);
      order = new int[2 * size];
    }
    hashes[size] = hash;
    locations[size] = location;
    size++;
  }

  /** Takes all away. */
  public void clear() {
    size = 0;
  }

  /** Finds out what belongs to which partition. */
  void sort() {
    Arrays.fill(ends, 0);
    for (int i = 0; i < size; i++) {
      ends[Index.partitionOf(hashes[i])]++;
    }
    int end = 0;
    for (int partition = 0; partition < ends.length; partition++) {
      int count = ends[partition];
      ends[partition] = end;
      end += count;
    }
    for (int i = 0; i < size; i++) {
      order[ends[Index.partitionOf(hashes[i])]++] = i;
    }
  }

  /** Place behind the last of this partition, after {@link #sort}. */
  int end(int partition) {
    return ends[partition];
  }

  /** The number of the hash at a place, after {@link #sort}. */
  int at(int place) {
    return order[place];
  }

  /** Keeps what was read for nothing but to have it near. */
  public void keep(long word) {
    near = word;
  }
}
