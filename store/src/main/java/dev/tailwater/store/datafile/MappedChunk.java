package dev.tailwater.store.datafile;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A part of a data file that is mapped, and which of its pages are known to be in memory. Only
 * these are touched: any other would be a page fault in Java code, which waits for the disk where
 * no safepoint can be reached. What is known can be out of date: see {@link ResidencySweeper}.
 * Thread-safe.
 */
final class MappedChunk {
  /** A record that lies in two chunks is read by a call. */
  static final int BYTES = 64 * 1024 * 1024;

  private final MemorySegment memory;
  private final int pageShift;

  /** One bit for each page. */
  private final AtomicLongArray resident;

  /** What the kernel knew of pages that it gave up, at the last look. */
  private long evictedPages;

  /**
   * @param memory may reach beyond the end of the file: no page there ever becomes resident
   */
  MappedChunk(MemorySegment memory, int pageBytes) {
    this.memory = memory;
    this.pageShift = Integer.numberOfTrailingZeros(pageBytes);
    this.resident = new AtomicLongArray((int) (memory.byteSize() / pageBytes / Long.SIZE) + 1);
  }

  MemorySegment memory() {
    return memory;
  }

  /** Whether the range lies in here, and all of its pages are known to be in memory. */
  boolean isResident(int fromBytes, int lengthBytes) {
    int endBytes = fromBytes + lengthBytes;
    if (endBytes > memory.byteSize()) {
      return false;
    }
    int last = (endBytes - 1) >>> pageShift;
    for (int page = fromBytes >>> pageShift; page <= last; page++) {
      if ((resident.getOpaque(page >>> 6) >>> page & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Somebody has just read this range through the page cache. */
  void cameIn(int fromBytes, int lengthBytes) {
    int last =
        (int) (Math.min(fromBytes + (long) lengthBytes, memory.byteSize()) - 1) >>> pageShift;
    for (int page = fromBytes >>> pageShift; page <= last; page++) {
      resident.accumulateAndGet(page >>> 6, 1L << page, (bits, bit) -> bits | bit);
    }
  }

  /** Nothing is known any more. */
  void forget() {
    for (int word = 0; word < resident.length(); word++) {
      resident.setOpaque(word, 0);
    }
  }

  /** The first so many pages are in memory, the others are not. */
  void allResident(int pages) {
    for (int word = 0; word < resident.length(); word++) {
      int more = pages - word * Long.SIZE;
      resident.setOpaque(word, more >= Long.SIZE ? -1L : more <= 0 ? 0 : (1L << more) - 1);
    }
  }

  /** Takes what mincore(2) said. */
  void take(MemorySegment answer, int pages) {
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

  int residentPages() {
    int pages = 0;
    for (int word = 0; word < resident.length(); word++) {
      pages += Long.bitCount(resident.getOpaque(word));
    }
    return pages;
  }

  /** The sweeper's own. */
  long evictedPages() {
    return evictedPages;
  }

  void evictedPages(long pages) {
    evictedPages = pages;
  }
}
