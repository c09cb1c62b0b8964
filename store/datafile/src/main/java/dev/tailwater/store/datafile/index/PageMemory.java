package dev.tailwater.store.datafile.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.AnonymousMemoryCalls;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.linux.LinuxAnonymousMemoryCalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Native memory in pages of one size, so that the pages of one table fit every other. A page that
 * was given back stays readable, with any contents: late readers read it and notice. {@link
 * #close()} frees all memory at once. Thread-safe.
 *
 * <p>Pages are handed out by address, and read and written without bounds checks: a search reads a
 * dozen words, and the checks took longer than the reads. {@link Table} never leaves its pages.
 *
 * <p>Once there are many, they lie in huge pages of the processor, where the kernel has some: a
 * search may touch any of them, and with small pages it waits for address translation too.
 */
final class PageMemory implements AutoCloseable {
  static final int PAGE_BYTES = 4096;

  private static final long HUGE_PAGE_BYTES = 2 * 1024 * 1024;
  private static final long FIRST_SLAB_BYTES = 64 * 1024;
  private static final long MAX_SLAB_BYTES = 64 * 1024 * 1024;
  private static final MemorySegment ALL = everything();

  private enum Huge {
    UNASKED,
    YES,
    NO
  }

  private final AnonymousMemoryCalls calls;

  @GuardedBy("this")
  private final List<MemorySegment> mappings = new ArrayList<>();

  @GuardedBy("this")
  private long[] free = new long[256];

  @GuardedBy("this")
  private int freeCount;

  @GuardedBy("this")
  private long takenBytes;

  /** The part of the last slab that was never handed out. */
  @GuardedBy("this")
  private long nextAddress;

  @GuardedBy("this")
  private long endAddress;

  @GuardedBy("this")
  private Huge huge = Huge.UNASKED;

  @GuardedBy("this")
  private boolean closed;

  PageMemory() {
    this(LinuxAnonymousMemoryCalls.create());
  }

  PageMemory(AnonymousMemoryCalls calls) {
    this.calls = calls;
  }

  @SuppressWarnings("restricted") // used with addresses of pages only
  private static MemorySegment everything() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  /**
   * The address of a page of zeros.
   *
   * @throws OutOfMemoryError when the kernel has none
   */
  long take() {
    return take(true);
  }

  /** As {@link #take()}, but the page may hold anything. */
  long takeToFill() {
    return take(false);
  }

  private synchronized long take(boolean zeros) {
    if (closed) {
      throw new IllegalStateException("the index is closed");
    }
    if (freeCount > 0) {
      long page = free[--freeCount];
      if (zeros) {
        ALL.asSlice(page, PAGE_BYTES).fill((byte) 0);
      }
      return page;
    }
    if (nextAddress == endAddress) {
      addSlab();
    }
    long page = nextAddress;
    nextAddress += PAGE_BYTES;
    takenBytes += PAGE_BYTES;
    return page;
  }

  /** Maps a slab as large as all before together; unused parts take no memory. */
  @GuardedBy("this")
  private void addSlab() {
    long slabBytes = Math.clamp(takenBytes, FIRST_SLAB_BYTES, MAX_SLAB_BYTES);
    if (slabBytes < HUGE_PAGE_BYTES) {
      nextAddress = map(slabBytes).address();
    } else {
      slabBytes -= slabBytes % HUGE_PAGE_BYTES;
      MemorySegment mapping = map(slabBytes + HUGE_PAGE_BYTES);
      nextAddress = (mapping.address() + HUGE_PAGE_BYTES - 1) & -HUGE_PAGE_BYTES;
      preferHugePages(mapping.asSlice(nextAddress - mapping.address(), slabBytes));
    }
    endAddress = nextAddress + slabBytes;
  }

  @GuardedBy("this")
  private MemorySegment map(long lengthBytes) {
    try {
      MemorySegment mapping = calls.mapAnonymous(lengthBytes);
      mappings.add(mapping);
      return mapping;
    } catch (ErrnoException failed) {
      throw outOfMemory(failed);
    }
  }

  @GuardedBy("this")
  private void preferHugePages(MemorySegment memory) {
    if (huge == Huge.UNASKED || huge == Huge.YES) {
      try {
        calls.preferHugePages(memory);
        huge = Huge.YES;
      } catch (ErrnoException noSuchPages) {
        huge = Huge.NO; // the kernel was built without them, and small ones are only slower
      }
    }
  }

  private static OutOfMemoryError outOfMemory(ErrnoException failed) {
    OutOfMemoryError error = new OutOfMemoryError("no memory for the index: " + failed);
    error.initCause(failed);
    return error;
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
    return takenBytes - (long) freeCount * PAGE_BYTES;
  }

  /** Bytes of native memory: what was ever taken, and the rest of the last huge page. */
  synchronized long sizeBytes() {
    return huge == Huge.YES ? takenBytes + (-nextAddress & HUGE_PAGE_BYTES - 1) : takenBytes;
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

  /** Frees all memory; any later access to a page crashes the JVM. */
  @Override
  public synchronized void close() {
    closed = true;
    for (MemorySegment mapping : mappings) {
      try {
        calls.unmap(mapping);
      } catch (ErrnoException failed) { // not of what was mapped, as long as this is right
        throw new IllegalStateException(failed);
      }
    }
    mappings.clear();
  }
}
