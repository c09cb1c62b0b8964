package dev.tailwater.store.datafile.index;

/**
 * One partition of an index after the other, while many entries are put into it together and nobody
 * else uses the index. Used by one thread.
 */
public final class PartitionDraft {
  /** So many entries are some 20 MiB of the Java heap while a partition is changed. */
  private static final int MAX_ENTRIES = 512 * 1024;

  /** For fewer new ones, copying the old ones is not worth it. */
  private static final int MIN_SHARE = 16;

  private final Index index;
  private final TableDraft draft = new TableDraft(Partitions.BITS);
  private int partition;

  /** Of this index. */
  public PartitionDraft(Index index) {
    this.index = index;
  }

  /**
   * Begins with what the partition has, and room for so many more entries. False when that is not
   * worth it, or two entries have one hash; then nothing is to be put.
   */
  public boolean begin(int number, int moreEntries) {
    partition = number;
    int size = index.size(number);
    return size / MIN_SHARE <= moreEntries
        && size + (long) moreEntries <= MAX_ENTRIES
        && index.partition(number).copyTo(draft, moreEntries);
  }

  /** Puts a location in the place of that for this hash, and returns that; else adds it. */
  public long put(long hash, long location) {
    return draft.put(hash, location);
  }

  /** Takes away the entry with this hash, and returns its location; or none. */
  public long remove(long hash) {
    return draft.remove(hash);
  }

  /** Makes the partition what was put. */
  public void finish() {
    index.partition(partition).take(draft.toTable(index.memory()), draft.count());
  }
}
