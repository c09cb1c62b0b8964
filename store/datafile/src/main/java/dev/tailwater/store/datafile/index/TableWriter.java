package dev.tailwater.store.datafile.index;

import java.util.Arrays;

/**
 * Lays out a {@link Table} from front to back, page by page; each is filled in an array, as with
 * {@link TableDraft}, and written once. Used by one thread.
 */
final class TableWriter {
  private static final int PAGE_WORDS = 2 * Table.SLOTS_PER_PAGE;

  private final PageMemory memory;
  private final int commonBits;
  private final int homes;
  private final long[] page = new long[PAGE_WORDS];
  private long[] pages;
  private int pageCount;
  private int nextSlot;
  private int count;

  /**
   * An empty one.
   *
   * @param entries about how many there will be
   * @param commonBits as of {@link Table}
   */
  TableWriter(PageMemory memory, int entries, int commonBits) {
    this.memory = memory;
    this.commonBits = commonBits;
    this.pages = new long[Table.pagesFor(entries)];
    this.homes = pages.length * Table.SLOTS_PER_PAGE - Table.FEW_OVERFLOW_SLOTS;
  }

  /** Number of entries. */
  int count() {
    return count;
  }

  /** Adds an entry whose hash is at least that of all others. */
  void addLast(long hash, long location) {
    int home = (int) Math.unsignedMultiplyHigh(hash << commonBits, homes);
    int slot = Math.max(nextSlot, home);
    while (slot >= (pageCount + 1) * Table.SLOTS_PER_PAGE) {
      writePage();
    }
    int at = 2 * (slot - pageCount * Table.SLOTS_PER_PAGE);
    page[at] = hash;
    page[at + 1] = location;
    nextSlot = slot + 1;
    count++;
  }

  private void writePage() {
    if (pageCount == pages.length) {
      pages = Arrays.copyOf(pages, pageCount + 1 + pageCount / 8);
    }
    pages[pageCount] = memory.takeToFill();
    PageMemory.write(pages[pageCount++], page, 0, PAGE_WORDS);
    Arrays.fill(page, 0);
  }

  /** The table. */
  Table finish() {
    if (count == 0) {
      return Table.withoutPages(memory, commonBits);
    }
    int slots = homes + Table.FEW_OVERFLOW_SLOTS;
    do {
      writePage();
    } while (pageCount * Table.SLOTS_PER_PAGE < slots);
    int overflowSlots = pageCount * Table.SLOTS_PER_PAGE - homes;
    return Table.of(memory, Arrays.copyOf(pages, pageCount), overflowSlots, commonBits);
  }
}
