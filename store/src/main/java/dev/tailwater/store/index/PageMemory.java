package dev.tailwater.store.index;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Native memory in pages of one size, so that what one table gives back fits every other. A page
 * that was given back stays readable, whatever is in it then: readers who came too late read it and
 * find out. All memory is freed at once, by {@link #close()}. Thread-safe.
 */
final class PageMemory implements AutoCloseable {
  static final int PAGE_BYTES = 4096;

  private static final int SLAB_PAGES = 256;

  private final Arena arena = Arena.ofShared();
  private volatile MemorySegment[] slabs = {};
  private int[] free = new int[SLAB_PAGES];
  private int freeCount;
  private int pageCount;

  /** A page of zeros. */
  synchronized int take() {
    if (freeCount > 0) {
      int page = free[--freeCount];
      slab(page).asSlice(offset(page), PAGE_BYTES).fill((byte) 0);
      return page;
    }
    if (pageCount == slabs.length * SLAB_PAGES) {
      MemorySegment[] more = Arrays.copyOf(slabs, slabs.length + 1);
      more[slabs.length] = arena.allocate((long) SLAB_PAGES * PAGE_BYTES, PAGE_BYTES);
      slabs = more;
    }
    return pageCount++;
  }

  synchronized void giveBack(int[] pages) {
    if (freeCount + pages.length > free.length) {
      free = Arrays.copyOf(free, Math.max(2 * free.length, freeCount + pages.length));
    }
    System.arraycopy(pages, 0, free, freeCount, pages.length);
    freeCount += pages.length;
  }

  /** A copy of each of these pages. */
  int[] copy(int[] pages) {
    int[] copies = new int[pages.length];
    for (int i = 0; i < pages.length; i++) {
      copies[i] = take();
      MemorySegment.copy(
          slab(pages[i]), offset(pages[i]), slab(copies[i]), offset(copies[i]), PAGE_BYTES);
    }
    return copies;
  }

  /** Bytes of the pages that were taken and not given back. */
  synchronized long usedBytes() {
    return (long) (pageCount - freeCount) * PAGE_BYTES;
  }

  /** Bytes of native memory. */
  long sizeBytes() {
    return (long) slabs.length * SLAB_PAGES * PAGE_BYTES;
  }

  long read(int page, int offsetBytes) {
    return slab(page).get(ValueLayout.JAVA_LONG, offset(page) + offsetBytes);
  }

  void write(int page, int offsetBytes, long value) {
    slab(page).set(ValueLayout.JAVA_LONG, offset(page) + offsetBytes, value);
  }

  private MemorySegment slab(int page) {
    return slabs[page / SLAB_PAGES];
  }

  private static long offset(int page) {
    return (long) (page % SLAB_PAGES) * PAGE_BYTES;
  }

  @Override
  public void close() {
    arena.close();
  }
}
