package dev.tailwater.store.datafile.index;

/** The division of hashes into partitions: by their highest bits. */
final class Partitions {
  static final int BITS = 8;
  static final int COUNT = 1 << BITS;

  private Partitions() {}

  static int of(long hash) {
    return (int) (hash >>> (Long.SIZE - BITS));
  }

  static long firstHash(int partition) {
    return (long) partition << (Long.SIZE - BITS);
  }
}
