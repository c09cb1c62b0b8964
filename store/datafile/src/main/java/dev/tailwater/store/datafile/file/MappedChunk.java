package dev.tailwater.store.datafile.file;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A part of a data file that is mapped, and which of its pages are known to be in memory. Only
 * these are touched: any other would be a page fault in Java code, which waits for the disk where
 * no safepoint can be reached. What is known can be out of date: see {@code read.ResidencySweeper}.
 * Thread-safe.
 */
public final class MappedChunk {
  /** Binary logarithm of {@link #BYTES}. */
  static final int SHIFT = 26;

  /** A record that lies in two chunks is read by a call. */
  public static final int BYTES = 1 << SHIFT;

  /** Copying more at once would hold up safepoints. */
  public static final int MAX_READ_BYTES = 1024 * 1024;

  private final MemorySegment memory;
  private final int pageShift;

  /**
   * One bit for each page, and some that are never set: of what would lie behind the memory's end.
   */
  private final AtomicLongArray resident;

  /** What the kernel knew of pages that it gave up, at the last look. */
  private long evictedPages;

  /**
   * @param memory may reach beyond the end of the file: no page there ever becomes resident
   */
  MappedChunk(MemorySegment memory, int pageBytes) {
    this.memory = memory;
    this.pageShift = Integer.numberOfTrailingZeros(pageBytes);
    long bits = (memory.byteSize() + MAX_READ_BYTES) / pageBytes + 1;
    this.resident = new AtomicLongArray((int) (bits / Long.SIZE) + 1);
  }

  public MemorySegment memory() {
    return memory;
  }

  /**
   * Whether the range lies in here, and all of its pages are known to be in memory.
   *
   * @param fromBytes below the memory's length
   * @param lengthBytes 1 to {@link #MAX_READ_BYTES}
   */
  boolean isResident(int fromBytes, int lengthBytes) {
    int first = fromBytes >>> pageShift;
    int last = (fromBytes + lengthBytes - 1) >>> pageShift;
    // One look for most records, and no case that comes once in a million gets: compiled code is
    // thrown away when it meets one.
    return (bit(first) & bit(last)) != 0 && (last - first < 2 || areResident(first + 1, last));
  }

  private boolean areResident(int from, int end) {
    for (int page = from; page < end; page++) {
      if (bit(page) == 0) {
        return false;
      }
    }
    return true;
  }

  private long bit(int page) {
    return resident.getOpaque(page >>> 6) >>> page & 1;
  }

  /** Somebody has just read this range through the page cache. */
  void markResident(int fromBytes, int lengthBytes) {
    int last =
        (int) (Math.min(fromBytes + (long) lengthBytes, memory.byteSize()) - 1) >>> pageShift;
    for (int page = fromBytes >>> pageShift; page <= last; page++) {
      resident.accumulateAndGet(page >>> 6, 1L << page, (bits, bit) -> bits | bit);
    }
  }

  /** Nothing is known any more. */
  public void forget() {
    for (int word = 0; word < resident.length(); word++) {
      resident.setOpaque(word, 0);
    }
  }

  /** The first so many pages are in memory, the others are not. */
  public void allResident(int pages) {
    for (int word = 0; word < resident.length(); word++) {
      int more = pages - word * Long.SIZE;
      resident.setOpaque(word, more >= Long.SIZE ? -1L : more <= 0 ? 0 : (1L << more) - 1);
    }
  }

  /** Takes what mincore(2) said. */
  public void take(MemorySegment answer, int pages) {
    for (int word = 0; word < resident.length(); word++) {
      long bits = 0;
      int end = Math.min(pages, (word + 1) * Long.SIZE);
      for (int page = word * Long.SIZE; page < end; page++) {
        long isThere = answer.get(ValueLayout.JAVA_BYTE, page) & 1;
        bits |= isThere << page;
      }
      resident.setOpaque(word, bits);
    }
  }

  public int residentPages() {
    int pages = 0;
    for (int word = 0; word < resident.length(); word++) {
      pages += Long.bitCount(resident.getOpaque(word));
    }
    return pages;
  }

  /** The sweeper's own. */
  public long evictedPages() {
    return evictedPages;
  }

  public void evictedPages(long pages) {
    evictedPages = pages;
  }
}
