package dev.tailwater.store.datafile.index;

/**
 * The slots of one partition: pairs of hash and location, sorted by hash, with gaps. A hash has its
 * home at the place that it would have if all hashes were evenly spread, and lies there or not far
 * behind it, without a gap in between. So any number of slots will do, a search ends at the first
 * gap or larger hash, and going through the slots is going through the hashes.
 *
 * <p>The shape never changes; the contents do. Methods that read may run while others write, and
 * then return nonsense, but never leave the table: the caller checks the partition's stamp
 * afterwards.
 */
final class Table {
  private static final long SLOT_BYTES = 16;
  static final int SLOTS_PER_PAGE = (int) (PageMemory.PAGE_BYTES / SLOT_BYTES);
  private static final int SLOT_BITS = Integer.numberOfTrailingZeros(SLOTS_PER_PAGE);
  private static final int LOCATION_OFFSET = Long.BYTES;
  static final int FEW_OVERFLOW_SLOTS = 32;

  private final PageMemory memory;
  private final long[] pages;
  private final int homes;
  private final int commonBits;

  private Table(PageMemory memory, long[] pages, int overflowSlots, int commonBits) {
    this.memory = memory;
    this.pages = pages;
    this.commonBits = commonBits;
    this.homes = pages.length * SLOTS_PER_PAGE - overflowSlots;
  }

  /**
   * An empty one.
   *
   * @param commonBits the highest bits of the hashes, which they have in common
   */
  static Table ofPages(PageMemory memory, int count, int commonBits) {
    return ofPages(memory, count, FEW_OVERFLOW_SLOTS, commonBits);
  }

  private static Table ofPages(PageMemory memory, int count, int overflowSlots, int commonBits) {
    long[] pages = new long[count];
    for (int i = 0; i < count; i++) {
      pages[i] = memory.take();
    }
    return new Table(memory, pages, overflowSlots, commonBits);
  }

  /**
   * One with these slots.
   *
   * @param slots two words for each: hash and location
   */
  static Table of(
      PageMemory memory, long[] slots, int pageCount, int overflowSlots, int commonBits) {
    long[] pages = new long[pageCount];
    int pageWords = 2 * SLOTS_PER_PAGE;
    for (int i = 0; i < pageCount; i++) {
      pages[i] = memory.takeToFill();
      PageMemory.write(pages[i], slots, i * pageWords, pageWords);
    }
    return of(memory, pages, overflowSlots, commonBits);
  }

  /** One on these pages. */
  static Table of(PageMemory memory, long[] pages, int overflowSlots, int commonBits) {
    return new Table(memory, pages, overflowSlots, commonBits);
  }

  /**
   * Visits the entries by ascending hash, up to two with the same hash; returns whether there are
   * none.
   */
  boolean forEachDistinct(EntryVisitor<RuntimeException> action) {
    long[] words = new long[2 * SLOTS_PER_PAGE];
    boolean isFirst = true;
    long last = 0;
    for (long page : pages) {
      PageMemory.read(page, words, 0, words.length);
      for (int i = 0; i < words.length; i += 2) {
        if (words[i + 1] != Location.NONE) {
          if (!isFirst && words[i] == last) {
            return false;
          }
          isFirst = false;
          last = words[i];
          action.entry(last, words[i + 1]);
        }
      }
    }
    return true;
  }

  /** One without memory, in which nothing is found, until it is replaced by a larger one. */
  static Table withoutPages(PageMemory memory, int commonBits) {
    return new Table(memory, new long[0], 0, commonBits);
  }

  /** As {@link #withoutPages}. */
  Table empty() {
    return withoutPages(memory, commonBits);
  }

  /** The fewest pages on which so many entries are not crowded. */
  static int pagesFor(int entries) {
    return Math.toIntExact(entries * 8L / 7 / SLOTS_PER_PAGE) + 1;
  }

  /** Whether one more entry would make searches long. */
  boolean isCrowdedBy(int entries) {
    return entries * 8L > slots() * 7L;
  }

  /**
   * How many entries there will be in all, if so many were added by ascending hash up to this one:
   * as many for each home behind it as before it. No more where an entry lies behind it already.
   */
  long expectedEntries(int entries, long hash) {
    int last = slots() - 1;
    while (last >= 0 && location(last) == Location.NONE) {
      last--;
    }
    boolean isBehindAll = last < 0 || Long.compareUnsigned(hash(last), hash) < 0;
    return isBehindAll ? (long) entries * homes / (home(hash) + 1) : entries;
  }

  int pageCount() {
    return pages.length;
  }

  int slots() {
    return pages.length * SLOTS_PER_PAGE;
  }

  /** Fails for slots that there are not. */
  private long address(int slot) {
    return pages[slot >>> SLOT_BITS] + (slot & (SLOTS_PER_PAGE - 1)) * SLOT_BYTES;
  }

  long hash(int slot) {
    return PageMemory.read(address(slot));
  }

  long location(int slot) {
    return PageMemory.read(address(slot) + LOCATION_OFFSET);
  }

  private void set(int slot, long hash, long location) {
    long address = address(slot);
    PageMemory.write(address, hash);
    PageMemory.write(address + LOCATION_OFFSET, location);
  }

  void setLocation(int slot, long location) {
    PageMemory.write(address(slot) + LOCATION_OFFSET, location);
  }

  private int home(long hash) {
    return (int) Math.unsignedMultiplyHigh(hash << commonBits, homes);
  }

  /** What {@link #seek} reads first. */
  long firstWord(long hash) {
    return pages.length == 0 ? 0 : PageMemory.read(address(home(hash)));
  }

  /** The first slot with this hash, or where it belongs; the number of slots when it is full. */
  int seek(long hash) {
    int slot = home(hash);
    int end = slots();
    while (slot < end) {
      long address = address(slot);
      int pageEnd = endOfPage(slot);
      do {
        long there = PageMemory.read(address);
        // A gap has the hash 0, as perhaps an entry has.
        boolean isGap = there == 0 && PageMemory.read(address + LOCATION_OFFSET) == Location.NONE;
        if (isGap || Long.compareUnsigned(there, hash) >= 0) {
          return slot;
        }
        slot++;
        address += SLOT_BYTES;
      } while (slot < pageEnd);
    }
    return slot;
  }

  private static int endOfPage(int slot) {
    return (slot | SLOTS_PER_PAGE - 1) + 1;
  }

  /** The slot with this entry, or -1. */
  int find(long hash, long location) {
    for (int slot = seek(hash); holds(slot, hash); slot++) {
      if (location(slot) == location) {
        return slot;
      }
    }
    return -1;
  }

  /** Fills in the locations for this hash, as many as fit, and returns how many there are. */
  int findAll(long hash, long[] locations) {
    int found = 0;
    for (int slot = seek(hash); holds(slot, hash); slot++) {
      if (found < locations.length) {
        locations[found] = location(slot);
      }
      found++;
    }
    return found;
  }

  /** Fills the buffer with entries, the first with this hash or the next higher one; true. */
  boolean entriesFrom(long hash, EntryBuffer into) {
    into.clear();
    boolean room = true;
    for (int slot = seek(hash); room && slot < slots(); slot++) {
      long location = location(slot);
      room = location == Location.NONE || into.add(hash(slot), location);
    }
    return true;
  }

  /**
   * The location of the only entry with this hash, {@link Location#NONE}, or {@link
   * Location#SEVERAL}.
   */
  long findOnly(long hash) {
    int end = slots();
    for (int slot = home(hash); slot < end; slot++) {
      long address = address(slot);
      long there = PageMemory.read(address);
      if (there == hash) {
        long location = PageMemory.read(address + LOCATION_OFFSET);
        boolean several = location != Location.NONE && holds(slot + 1, hash);
        return several ? Location.SEVERAL : location;
      }
      boolean isGap = there == 0 && PageMemory.read(address + LOCATION_OFFSET) == Location.NONE;
      if (isGap || Long.compareUnsigned(there, hash) > 0) {
        break;
      }
    }
    return Location.NONE;
  }

  /** Whether the slot has an entry with this hash. */
  boolean holds(int slot, long hash) {
    return slot < slots() && location(slot) != Location.NONE && hash(slot) == hash;
  }

  /**
   * Adds an entry behind those of the same hash; false, and nothing changed, without room.
   *
   * @param sought by {@link #seek}
   */
  boolean add(int sought, long hash, long location) {
    int slots = slots();
    if (location(slots - 1) != Location.NONE) {
      return false; // there might be no gap behind
    }
    int slot = sought;
    while (holds(slot, hash)) {
      slot++;
    }
    long newHash = hash;
    long newLocation = location;
    while (slot < slots) {
      long address = address(slot);
      int pageEnd = endOfPage(slot);
      do { // each moves up to the next slot, until there is a gap
        long oldHash = PageMemory.read(address);
        long oldLocation = PageMemory.read(address + LOCATION_OFFSET);
        PageMemory.write(address, newHash);
        PageMemory.write(address + LOCATION_OFFSET, newLocation);
        if (oldLocation == Location.NONE) {
          return true;
        }
        newHash = oldHash;
        newLocation = oldLocation;
        slot++;
        address += SLOT_BYTES;
      } while (slot < pageEnd);
    }
    throw new IllegalStateException("the index has lost a gap");
  }

  /** Adds an entry whose hash is at least that of all others; {@code from} is the first slot. */
  int addLast(int from, long hash, long location) {
    int slot = Math.max(from, home(hash));
    if (slot < slots()) {
      set(slot, hash, location);
    }
    return slot + 1;
  }

  /** Takes an entry away, and moves those behind it nearer to their homes. */
  void remove(int removed) {
    int hole = removed;
    int next = hole + 1;
    while (next < slots() && location(next) != Location.NONE && home(hash(next)) < next) {
      set(hole, hash(next), location(next));
      hole = next++;
    }
    set(hole, 0, Location.NONE);
  }

  /** The same with pages of its own. */
  Table duplicate() {
    return new Table(memory, memory.copy(pages), slots() - homes, commonBits);
  }

  /** A copy with this many more pages, at least one. */
  Table largerBy(int morePages) {
    return copy(pages.length + morePages, overflowSlots());
  }

  private int overflowSlots() {
    return Math.max(FEW_OVERFLOW_SLOTS, slots() - homes);
  }

  /** A larger copy with twice the room behind the last home. */
  Table withMoreOverflow() {
    int overflowSlots = 2 * overflowSlots();
    return copy(pages.length + 1 + overflowSlots / SLOTS_PER_PAGE, overflowSlots);
  }

  private Table copy(int pageCount, int overflowSlots) {
    Table copy = ofPages(memory, pageCount, overflowSlots, commonBits);
    if (copy.takeAll(this)) {
      return copy;
    }
    copy.release();
    return copy(pageCount + 1 + overflowSlots / SLOTS_PER_PAGE, 2 * overflowSlots);
  }

  private boolean takeAll(Table from) {
    int next = 0;
    for (long page : from.pages) {
      for (long address = page; address < page + PageMemory.PAGE_BYTES; address += SLOT_BYTES) {
        long location = PageMemory.read(address + LOCATION_OFFSET);
        if (location != Location.NONE) {
          next = addLast(next, PageMemory.read(address), location);
        }
      }
    }
    return next <= slots();
  }

  void release() {
    memory.giveBack(pages);
  }
}
