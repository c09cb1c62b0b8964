package dev.tailwater.store.datafile.file;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A mapped part of a data file, and which of its pages are known to be resident. Only these are
 * touched: any other would be a page fault in Java code, which waits for the disk where no
 * safepoint can be reached. What is known can be out of date: see {@code read.ResidencySweeper}.
 * Thread-safe.
 */
public final class MappedChunk {
  /** Binary logarithm of {@link #BYTES}. */
  static final int SHIFT = 26;

  /** Length of a chunk. A record that crosses into the next chunk is read by a system call. */
  public static final int BYTES = 1 << SHIFT;

  /** Longest copy; a longer one would delay safepoints. */
  public static final int MAX_READ_BYTES = 1024 * 1024;

  private final MemorySegment memory;
  private final int pageShift;

  /**
   * One bit for each page, and some for pages beyond the end of the memory, which are never set.
   */
  private final AtomicLongArray resident;

  /** The kernel's count of evicted pages at the last look. */
  private long evictedPages;

  /**
   * Creates a chunk of which nothing is known to be resident.
   *
   * @param memory may reach beyond the end of the file; no page there ever becomes resident
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
   * Returns whether the range lies in this chunk, and all of its pages are known to be resident.
   *
   * @param fromBytes below the memory's length
   * @param lengthBytes 1 to {@link #MAX_READ_BYTES}
   */
  boolean isResident(int fromBytes, int lengthBytes) {
    int first = fromBytes >>> pageShift;
    int last = (fromBytes + lengthBytes - 1) >>> pageShift;
    // One check for most records, and no branch that is taken once in a million gets: compiled code
    // is discarded when it meets one.
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

  /** Marks a range as resident that was just read through the page cache. */
  void markResident(int fromBytes, int lengthBytes) {
    int last =
        (int) (Math.min(fromBytes + (long) lengthBytes, memory.byteSize()) - 1) >>> pageShift;
    for (int page = fromBytes >>> pageShift; page <= last; page++) {
      resident.accumulateAndGet(page >>> 6, 1L << page, (bits, bit) -> bits | bit);
    }
  }

  /** Forgets which pages are resident. */
  public void forget() {
    for (int word = 0; word < resident.length(); word++) {
      resident.setOpaque(word, 0);
    }
  }

  /** Marks the first pages as resident, and the others as not. */
  public void allResident(int pages) {
    for (int word = 0; word < resident.length(); word++) {
      int more = pages - word * Long.SIZE;
      resident.setOpaque(word, more >= Long.SIZE ? -1L : more <= 0 ? 0 : (1L << more) - 1);
    }
  }

  /** Takes over the result of mincore(2). */
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

  /** Returns the sweeper's own count of evicted pages. */
  public long evictedPages() {
    return evictedPages;
  }

  public void evictedPages(long pages) {
    evictedPages = pages;
  }
}
