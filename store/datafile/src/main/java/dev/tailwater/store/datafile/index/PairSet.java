package dev.tailwater.store.datafile.index;

import java.util.Arrays;

/**
 * A set of pairs of a hash and a record's number, sorted by hash. A few pairs lie in an array, more
 * in pages outside the Java heap, as in {@link Table}. A pair can be marked as removed, and stays
 * until it is really removed. Not thread-safe.
 */
final class PairSet {
  /** Most pairs in the array. */
  private static final int FEW = 32;

  /** Most pairs in one table, because a table grows by being copied. */
  private static final int PAIRS_OF_ONE_TABLE = 32 * 1024;

  /** Most pairs that one of many tables makes room for before they are there. */
  private static final int EXPECTED_IN_A_TABLE = 1024 * 1024;

  private static final long REMOVED = 1L << 63;

  private final PageMemory memory;
  private final int id;
  private long[] few = {};
  private Table[] tables = {};
  private int[] counts = {};
  private long size;
  private long removed;

  /**
   * An empty one.
   *
   * @param id a number for its owner
   */
  PairSet(PageMemory memory, int id) {
    this.memory = memory;
    this.id = id;
  }

  int id() {
    return id;
  }

  /** Number of pairs, with those that are marked. */
  long size() {
    return size;
  }

  /** Number of pairs that are not marked. */
  long live() {
    return size - removed;
  }

  /** Adds a pair, unless it is there already. */
  void add(long hash, long number) {
    if (holds(hash, number) || holds(hash, number | REMOVED)) {
      return;
    }
    insert(hash, number);
  }

  private void insert(long hash, long word) {
    if (tables.length == 0) {
      if (size < FEW) {
        insertInArray(hash, word);
        size++;
        return;
      }
      spread(1);
    } else if (tables.length == 1 && size >= PAIRS_OF_ONE_TABLE) {
      spread(Partitions.COUNT);
    }
    insertInTable(hash, word);
    size++;
  }

  private void insertInArray(long hash, long word) {
    int at = 0;
    while (at < few.length && Long.compareUnsigned(few[at], hash) <= 0) {
      at += 2;
    }
    long[] more = new long[few.length + 2];
    System.arraycopy(few, 0, more, 0, at);
    more[at] = hash;
    more[at + 1] = word;
    System.arraycopy(few, at, more, at + 2, few.length - at);
    few = more;
  }

  private void insertInTable(long hash, long word) {
    int at = tableOf(hash);
    if (tables[at].isCrowdedBy(counts[at] + 1)) {
      replace(at, tables[at].largerBy(morePages(at, hash)));
    }
    while (!tables[at].add(tables[at].seek(hash), hash, word)) {
      replace(at, tables[at].withMoreOverflow());
    }
    counts[at]++;
  }

  /**
   * An eighth more than there are. What a store has written comes by ascending hash: at once as
   * many as it will take then, or all would crowd at the end of what is filled.
   */
  private int morePages(int at, long hash) {
    Table table = tables[at];
    long most = tables.length == 1 ? PAIRS_OF_ONE_TABLE : EXPECTED_IN_A_TABLE;
    long expected = Math.min(table.expectedEntries(counts[at], hash), most);
    int eighth = table.pageCount() / 8;
    return 1 + Math.max(eighth, Table.pagesFor((int) expected) - table.pageCount());
  }

  private void replace(int at, Table larger) {
    Table old = tables[at];
    tables[at] = larger;
    old.release();
  }

  private int tableOf(long hash) {
    return tables.length == 1 ? 0 : Partitions.of(hash);
  }

  /** Spreads all pairs over this many new tables. */
  private void spread(int count) {
    long[] array = few;
    Table[] old = tables;
    few = new long[0];
    counts = new int[count];
    tables = new Table[count];
    Arrays.setAll(tables, i -> Table.ofPages(memory, 1, count == 1 ? 0 : Partitions.BITS));
    for (int i = 0; i < array.length; i += 2) {
      insertInTable(array[i], array[i + 1]);
    }
    for (Table table : old) {
      for (int slot = 0; slot < table.slots(); slot++) {
        if (table.location(slot) != Location.NONE) {
          insertInTable(table.hash(slot), table.location(slot));
        }
      }
      table.release();
    }
  }

  private boolean holds(long hash, long word) {
    return tables.length == 0
        ? inArray(hash, word) >= 0
        : tables[tableOf(hash)].find(hash, word) >= 0;
  }

  private int inArray(long hash, long word) {
    for (int i = 0; i < few.length; i += 2) {
      if (few[i] == hash && few[i + 1] == word) {
        return i;
      }
    }
    return -1;
  }

  /** Marks a pair; false when there is none that is not marked. */
  boolean mark(long hash, long number) {
    if (tables.length == 0) {
      int at = inArray(hash, number);
      if (at < 0) {
        return false;
      }
      few[at + 1] = number | REMOVED;
    } else {
      Table table = tables[tableOf(hash)];
      int slot = table.find(hash, number);
      if (slot < 0) {
        return false;
      }
      table.setLocation(slot, number | REMOVED);
    }
    removed++;
    return true;
  }

  /** Removes a pair that is not marked; returns false when there is none. */
  boolean remove(long hash, long number) {
    return take(hash, number);
  }

  /** Removes a marked pair; returns false when there is none. */
  boolean removeMarked(long hash, long number) {
    boolean taken = take(hash, number | REMOVED);
    if (taken) {
      removed--;
    }
    return taken;
  }

  /** Removes all pairs of a hash that are not marked. */
  void removeAll(long hash) {
    long[] words = new long[4];
    int count = findAll(hash, words);
    while (count > words.length) {
      words = new long[2 * count];
      count = findAll(hash, words);
    }
    for (int i = 0; i < count; i++) {
      if (words[i] > 0) {
        take(hash, words[i]);
      }
    }
  }

  private int findAll(long hash, long[] words) {
    if (tables.length > 0) {
      return tables[tableOf(hash)].findAll(hash, words);
    }
    int found = 0;
    for (int i = 0; i < few.length; i += 2) {
      if (few[i] == hash) {
        if (found < words.length) {
          words[found] = few[i + 1];
        }
        found++;
      }
    }
    return found;
  }

  private boolean take(long hash, long word) {
    if (tables.length == 0) {
      int at = inArray(hash, word);
      if (at < 0) {
        return false;
      }
      long[] less = new long[few.length - 2];
      System.arraycopy(few, 0, less, 0, at);
      System.arraycopy(few, at + 2, less, at, less.length - at);
      few = less;
    } else {
      int table = tableOf(hash);
      int slot = tables[table].find(hash, word);
      if (slot < 0) {
        return false;
      }
      tables[table].remove(slot);
      counts[table]--;
    }
    size--;
    if (tables.length > 0 && size <= FEW / 2) {
      gather();
    }
    return true;
  }

  /** Moves the few remaining pairs into the array. */
  private void gather() {
    long[] array = new long[2 * (int) size];
    int end = 0;
    for (Table table : tables) {
      for (int slot = 0; slot < table.slots(); slot++) {
        if (table.location(slot) != Location.NONE) {
          array[end++] = table.hash(slot);
          array[end++] = table.location(slot);
        }
      }
      table.release();
    }
    few = array;
    tables = new Table[0];
    counts = new int[0];
  }

  /** Fills the buffer with pairs from this hash on, those that are marked too. */
  void pairsFrom(long hash, EntryBuffer into) {
    into.clear();
    boolean room = true;
    for (int i = 0; room && i < few.length; i += 2) {
      room = Long.compareUnsigned(few[i], hash) < 0 || into.add(few[i], few[i + 1] & ~REMOVED);
    }
    int first = tables.length == 0 ? 0 : tableOf(hash);
    for (int table = first; room && table < tables.length; table++) {
      Table from = tables[table];
      for (int slot = table == first ? from.seek(hash) : 0; room && slot < from.slots(); slot++) {
        long word = from.location(slot);
        room = word == Location.NONE || into.add(from.hash(slot), word & ~REMOVED);
      }
    }
  }

  /** Gives every pair that is not marked, by ascending hash. */
  <E extends Exception> void forEach(EntryVisitor<E> action) throws E {
    for (int i = 0; i < few.length; i += 2) {
      if (few[i + 1] > 0) {
        action.entry(few[i], few[i + 1]);
      }
    }
    for (Table table : tables) {
      for (int slot = 0; slot < table.slots(); slot++) {
        if (table.location(slot) > 0) {
          action.entry(table.hash(slot), table.location(slot));
        }
      }
    }
  }
}
