package dev.tailwater.store.datafile.index;

import java.util.Arrays;

/**
 * A {@link Table} of the same order while many entries are put into it: in an array, since a JVM
 * that has just begun takes many times as long for a look at native memory. It becomes a table by
 * being copied. Used by one thread.
 */
final class TableDraft {
  private final int commonBits;
  private long[] slots = {};
  private int slotCount;
  private int homes;
  private int count;
  private int nextSlot;

  /**
   * An empty one, without room.
   *
   * @param commonBits as of {@link Table}
   */
  TableDraft(int commonBits) {
    this.commonBits = commonBits;
  }

  /** Number of entries. */
  int count() {
    return count;
  }

  /** Forgets all entries, and makes room for so many. */
  void clear(int entries) {
    slotCount = Math.multiplyExact(Table.pagesFor(entries), Table.SLOTS_PER_PAGE);
    homes = slotCount - Table.FEW_OVERFLOW_SLOTS;
    if (slots.length < 2 * slotCount) {
      slots = new long[2 * slotCount];
    } else {
      Arrays.fill(slots, 0, 2 * slotCount, 0);
    }
    count = 0;
    nextSlot = 0;
  }

  private int home(long hash) {
    return (int) Math.unsignedMultiplyHigh(hash << commonBits, homes);
  }

  /** Adds an entry whose hash is at least that of all others. */
  void addLast(long hash, long location) {
    int slot = Math.max(nextSlot, home(hash));
    if (slot == slotCount) {
      addPage();
    }
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = location;
    nextSlot = slot + 1;
    count++;
  }

  /** Puts a location in the place of that for this hash, and returns that; else adds it. */
  long put(long hash, long location) {
    while (true) {
      int slot = seek(hash);
      int gap = slot;
      if (slot < slotCount && slots[2 * slot + 1] != Location.NONE) {
        if (slots[2 * slot] == hash) {
          long there = slots[2 * slot + 1];
          slots[2 * slot + 1] = location;
          return there;
        }
        do {
          gap++;
        } while (gap < slotCount && slots[2 * gap + 1] != Location.NONE);
      }
      if (gap < slotCount) {
        if (gap > slot) {
          System.arraycopy(slots, 2 * slot, slots, 2 * slot + 2, 2 * (gap - slot));
        }
        slots[2 * slot] = hash;
        slots[2 * slot + 1] = location;
        count++;
        return Location.NONE;
      }
      addPage();
    }
  }

  /** The slot of this hash, or where it belongs. */
  private int seek(long hash) {
    long[] in = slots;
    int slot = home(hash);
    while (slot < slotCount
        && in[2 * slot + 1] != Location.NONE
        && Long.compareUnsigned(in[2 * slot], hash) < 0) {
      slot++;
    }
    return slot;
  }

  /** Takes away the entry with this hash, and returns its location. */
  long remove(long hash) {
    int hole = seek(hash);
    if (hole == slotCount || slots[2 * hole + 1] == Location.NONE || slots[2 * hole] != hash) {
      return Location.NONE;
    }
    long there = slots[2 * hole + 1];
    int next = hole + 1;
    while (next < slotCount
        && slots[2 * next + 1] != Location.NONE
        && home(slots[2 * next]) < next) {
      slots[2 * hole] = slots[2 * next];
      slots[2 * hole + 1] = slots[2 * next + 1];
      hole = next++;
    }
    slots[2 * hole] = 0;
    slots[2 * hole + 1] = Location.NONE;
    count--;
    return there;
  }

  /** More room behind the last home; what has a home stays there. */
  private void addPage() {
    slotCount = Math.addExact(slotCount, Table.SLOTS_PER_PAGE);
    if (slots.length < 2 * slotCount) {
      slots = Arrays.copyOf(slots, Math.max(2 * slotCount, slots.length + slots.length / 2));
    }
    Arrays.fill(slots, 2 * (slotCount - Table.SLOTS_PER_PAGE), 2 * slotCount, 0);
  }

  private void layOutAgain() {
    long[] old = slots;
    int end = 2 * slotCount;
    slots = new long[0];
    clear(count);
    for (int at = 0; at < end; at += 2) {
      if (old[at + 1] != Location.NONE) {
        addLast(old[at], old[at + 1]);
      }
    }
  }

  /** A table with these entries. */
  Table toTable(PageMemory memory) {
    if (count == 0) {
      return Table.withoutPages(memory, commonBits);
    }
    int pages = Table.pagesFor(count);
    if (pages + pages / 8 < slotCount / Table.SLOTS_PER_PAGE) {
      layOutAgain(); // many were put in the place of others
    }
    return Table.of(memory, slots, slotCount / Table.SLOTS_PER_PAGE, slotCount - homes, commonBits);
  }
}
