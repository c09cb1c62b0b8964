package dev.tailwater.store.datafile.index;

import java.util.ArrayDeque;

/** A queue of removals that wait until views are closed, off the heap. Not thread-safe. */
final class RemovalQueue {
  private static final int ENTRY_BYTES = 4 * Long.BYTES;

  private final PageMemory memory;
  private final ArrayDeque<Long> pages = new ArrayDeque<>();
  private int headBytes;
  private int endBytes = PageMemory.PAGE_BYTES;

  RemovalQueue(PageMemory memory) {
    this.memory = memory;
  }

  boolean isEmpty() {
    return pages.isEmpty();
  }

  /** Adds a removal that waits for this view and all before it. */
  void add(int set, long hash, long number, long view) {
    if (endBytes == PageMemory.PAGE_BYTES) {
      pages.addLast(memory.take());
      endBytes = 0;
    }
    long at = pages.getLast() + endBytes;
    PageMemory.write(at, set);
    PageMemory.write(at + 8, hash);
    PageMemory.write(at + 16, number);
    PageMemory.write(at + 24, view);
    endBytes += ENTRY_BYTES;
  }

  int firstSet() {
    return (int) PageMemory.read(pages.getFirst() + headBytes);
  }

  long firstHash() {
    return PageMemory.read(pages.getFirst() + headBytes + 8);
  }

  long firstNumber() {
    return PageMemory.read(pages.getFirst() + headBytes + 16);
  }

  long firstView() {
    return PageMemory.read(pages.getFirst() + headBytes + 24);
  }

  void removeFirst() {
    headBytes += ENTRY_BYTES;
    boolean atEnd = pages.size() == 1 && headBytes == endBytes;
    if (headBytes == PageMemory.PAGE_BYTES || atEnd) {
      memory.giveBack(new long[] {pages.removeFirst()});
      headBytes = 0;
      if (pages.isEmpty()) {
        endBytes = PageMemory.PAGE_BYTES;
      }
    }
  }
}
