package dev.tailwater.store.datafile.index;

import java.util.Arrays;

/**
 * A batch of entries to be put into an index together, by partition, and within a partition in the
 * order in which they were added. They lie in pages of the index, which later become its tables.
 * Used by one thread.
 */
public final class EntryBatch {
  private static final int WORDS_PER_ENTRY = 2;
  private static final int PAGE_WORDS = PageMemory.PAGE_BYTES / Long.BYTES;
  private static final int FIRST_WORDS = 16;
  private static final int FLAGS_SHIFT = Long.SIZE - Byte.SIZE;
  private static final long HASH_BITS = (1L << FLAGS_SHIFT) - 1;
  private static final long[] NONE = {};

  private final PageMemory memory;
  private final Waiting[] partitions = new Waiting[Partitions.COUNT];
  private long[] words = NONE;
  private long count;

  /** Entries of one partition. */
  private static final class Waiting {
    private long[] last = new long[FIRST_WORDS];
    private int lastWords;
    private long[] pages = NONE;
    private int pageCount;
  }

  /** Creates an empty batch for this index. */
  public EntryBatch(Index index) {
    this.memory = index.memory();
  }

  /** Receives the entries of one partition. */
  @FunctionalInterface
  public interface Action<E extends Exception> {
    /**
     * The entries, which are only lent.
     *
     * @param words two for each, for {@link #hash} and {@link #flags}, and the location
     */
    void entries(int partition, long[] words, int entries) throws E;
  }

  /** Returns the number of entries. */
  public long size() {
    return count;
  }

  /** The hash in the first word of an entry. */
  public static long hash(int partition, long word) {
    return (word & HASH_BITS) | (long) partition << FLAGS_SHIFT;
  }

  /** The flags in the first word of an entry. */
  public static int flags(long word) {
    return (int) (word >>> FLAGS_SHIFT);
  }

  /**
   * Adds an entry.
   *
   * @param flags of these, 8 bits are kept
   */
  public void add(long hash, int flags, long location) {
    int partition = Partitions.of(hash);
    Waiting waiting = partitions[partition];
    if (waiting == null) {
      waiting = new Waiting();
      partitions[partition] = waiting;
    }
    int at = waiting.lastWords;
    if (at == waiting.last.length) {
      at = makeRoom(waiting);
    }
    // The partition implies the highest bits of the hash.
    waiting.last[at] = (hash & HASH_BITS) | (long) flags << FLAGS_SHIFT;
    waiting.last[at + 1] = location;
    waiting.lastWords = at + WORDS_PER_ENTRY;
    count++;
  }

  private int makeRoom(Waiting waiting) {
    if (waiting.lastWords < PAGE_WORDS) {
      waiting.last = Arrays.copyOf(waiting.last, 2 * waiting.lastWords);
      return waiting.lastWords;
    }
    if (waiting.pageCount == waiting.pages.length) {
      waiting.pages = Arrays.copyOf(waiting.pages, Math.max(8, 2 * waiting.pageCount));
    }
    long page = memory.takeToFill();
    waiting.pages[waiting.pageCount++] = page;
    PageMemory.write(page, waiting.last, 0, PAGE_WORDS);
    return 0;
  }

  /** Passes all entries to the action, which puts them into the index, and is empty afterwards. */
  public <E extends Exception> void drain(Action<E> action) throws E {
    for (int partition = 0; partition < Partitions.COUNT; partition++) {
      Waiting waiting = partitions[partition];
      if (waiting != null && (waiting.pageCount > 0 || waiting.lastWords > 0)) {
        int length = collect(waiting);
        action.entries(partition, words, length / WORDS_PER_ENTRY);
      }
    }
  }

  private int collect(Waiting waiting) {
    int paged = waiting.pageCount * PAGE_WORDS;
    int length = paged + waiting.lastWords;
    if (words.length < length) {
      words = new long[length + length / 8];
    }
    for (int i = 0; i < waiting.pageCount; i++) {
      PageMemory.read(waiting.pages[i], words, i * PAGE_WORDS, PAGE_WORDS);
    }
    System.arraycopy(waiting.last, 0, words, paged, waiting.lastWords);
    memory.giveBack(Arrays.copyOf(waiting.pages, waiting.pageCount));
    count -= length / WORDS_PER_ENTRY;
    waiting.pageCount = 0;
    waiting.lastWords = 0;
    return length;
  }
}
