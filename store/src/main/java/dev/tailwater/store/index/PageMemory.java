package dev.tailwater.store.index;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Native memory in pages of one size, so that what one table gives back fits every other. A page
 * that was given back stays readable, whatever is in it then: readers who came too late read it and
 * find out. All memory is freed at once, by {@link #close()}. Thread-safe.
 *
 * <p>Pages are handed out by address, and read and written without a check: a search looks at a
 * dozen words, and checks took more time than looking. {@link Table} never leaves its pages.
 */
final class PageMemory implements AutoCloseable {
  static final int PAGE_BYTES = 4096;

  private static final int FIRST_SLAB_PAGES = 16;
  private static final int MAX_SLAB_PAGES = 256;
  private static final MemorySegment ALL = everything();

  private final Arena arena = Arena.ofShared();

  /** The newest slab, from which pages are cut. */
  private MemorySegment slab = MemorySegment.NULL;

  private long slabUsedBytes;
  private long sizeBytes;
  private long[] free = new long[FIRST_SLAB_PAGES];
  private int freeCount;

  @SuppressWarnings("restricted") // used with addresses of pages only
  private static MemorySegment everything() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  /** The address of a page of zeros. */
  long take() {
    return take(true);
  }

  /** The address of a page that may hold anything. */
  long takeToFill() {
    return take(false);
  }

  private synchronized long take(boolean zeros) {
    if (!arena.scope().isAlive()) {
      throw new IllegalStateException("the index is closed");
    }
    if (freeCount > 0) {
      long page = free[--freeCount];
      if (zeros) {
        ALL.asSlice(page, PAGE_BYTES).fill((byte) 0);
      }
      return page;
    }
    if (slabUsedBytes == slab.byteSize()) {
      // As much again as there is: little for few keys, and few slabs for many.
      long pages = Math.clamp(sizeBytes / PAGE_BYTES, FIRST_SLAB_PAGES, MAX_SLAB_PAGES);
      slab = arena.allocate(pages * PAGE_BYTES, PAGE_BYTES);
      slabUsedBytes = 0;
      sizeBytes += slab.byteSize();
    }
    long page = slab.address() + slabUsedBytes;
    slabUsedBytes += PAGE_BYTES;
    return page;
  }

  synchronized void giveBack(long[] pages) {
    if (freeCount + pages.length > free.length) {
      free = Arrays.copyOf(free, Math.max(2 * free.length, freeCount + pages.length));
    }
    System.arraycopy(pages, 0, free, freeCount, pages.length);
    freeCount += pages.length;
  }

  /** A copy of each of these pages. */
  long[] copy(long[] pages) {
    long[] copies = new long[pages.length];
    for (int i = 0; i < pages.length; i++) {
      copies[i] = take();
      copy(pages[i], copies[i], PAGE_BYTES);
    }
    return copies;
  }

  /** Bytes of the pages that were taken and not given back. */
  synchronized long usedBytes() {
    return sizeBytes - (slab.byteSize() - slabUsedBytes) - (long) freeCount * PAGE_BYTES;
  }

  /** Bytes of native memory. */
  synchronized long sizeBytes() {
    return sizeBytes;
  }

  /** The word at an address within a page. */
  static long read(long address) {
    return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address); // aligned, but not looked at
  }

  /** Sets the word at an address within a page. */
  static void write(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
  }

  /** Sets the words from an address within a page on. */
  static void write(long address, long[] words, int from, int count) {
    MemorySegment.copy(words, from, ALL, ValueLayout.JAVA_LONG_UNALIGNED, address, count);
  }

  /** Copies the words from an address within a page on. */
  static void read(long address, long[] into, int to, int count) {
    MemorySegment.copy(ALL, ValueLayout.JAVA_LONG_UNALIGNED, address, into, to, count);
  }

  /** Copies from one place within a page to another, which may overlap. */
  static void copy(long from, long to, long lengthBytes) {
    MemorySegment.copy(ALL, from, ALL, to, lengthBytes);
  }

  /** Whoever reads or writes a page from now on kills the JVM. */
  @Override
  public void close() {
    arena.close();
  }
}
