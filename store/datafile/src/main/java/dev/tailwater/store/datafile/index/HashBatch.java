package dev.tailwater.store.datafile.index;

import java.util.Arrays;

/**
 * A batch of hashes, with a location each, that are looked up or added together. They are processed
 * by partition: the fields of each table are read once, and the processor waits for several of its
 * slots at the same time. Used by one thread at a time.
 */
public final class HashBatch {
  private long[] hashes;
  private long[] locations;

  /** Their numbers, by partition. */
  private int[] order;

  private final int[] ends = new int[Partitions.COUNT];
  private int size;

  @SuppressWarnings("unused") // written only, so that it is read
  private long near;

  /** Creates a batch, which grows beyond this capacity if necessary. */
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

  /** Adds a hash with its location. */
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

  /** Removes all hashes. */
  public void clear() {
    size = 0;
  }

  /** Sorts the hashes by partition. */
  void sort() {
    Arrays.fill(ends, 0);
    for (int i = 0; i < size; i++) {
      ends[Partitions.of(hashes[i])]++;
    }
    int end = 0;
    for (int partition = 0; partition < ends.length; partition++) {
      int count = ends[partition];
      ends[partition] = end;
      end += count;
    }
    for (int i = 0; i < size; i++) {
      order[ends[Partitions.of(hashes[i])]++] = i;
    }
  }

  /** Returns the place after the last of this partition, after {@link #sort}. */
  int end(int partition) {
    return ends[partition];
  }

  /** The number of the hash at a place, after {@link #sort}. */
  int at(int place) {
    return order[place];
  }

  /** Keeps a word that was read only to prefetch, so that the read is not optimized away. */
  public void keep(long word) {
    near = word;
  }
}
