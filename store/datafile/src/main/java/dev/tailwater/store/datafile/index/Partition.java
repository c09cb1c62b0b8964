package dev.tailwater.store.datafile.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A partition of the index: a table that is replaced by a larger one when it is crowded. Writers
 * hold the lock. Readers take none: they read, and check that the stamp has not changed (a seqlock:
 * Hans Boehm, "Can seqlocks get along with programming language memory models?", 2012).
 */
final class Partition {
  /** Number of lookups whose slots are prefetched together. */
  private static final int NEAR = 32;

  private static final VarHandle STAMP = stampHandle();

  private final ReentrantLock lock = new ReentrantLock();

  /** Odd while the table is being changed. */
  @SuppressWarnings("unused") // through the handle
  private long stamp;

  private volatile Table table;

  /** Changed with the lock held. */
  private final AtomicInteger count = new AtomicInteger();

  private final ViewNumbers views;

  /** Views up to this number have an older table. Changed with the stamp odd. */
  private volatile long ownSince;

  /** Tables that views still need, the oldest first. Changed with the lock held. */
  private volatile List<Kept> kept = List.of();

  Partition(PageMemory memory, ViewNumbers views) {
    this.table = Table.withoutPages(memory, Partitions.BITS);
    this.views = views;
  }

  /** An older table, for the views after one and up to another. */
  private record Kept(Table table, long after, long upTo) {}

  private static VarHandle stampHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(Partition.class, "stamp", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  int count() {
    return count.get();
  }

  /** The location for this hash, {@link Location#NONE}, or {@link Location#SEVERAL}. */
  long find(long hash) {
    while (true) {
      long before = (long) STAMP.getAcquire(this);
      if ((before & 1) == 0) {
        long found = table.findOnly(hash);
        if (isUnchanged(before)) {
          return found;
        }
      }
      Thread.onSpinWait();
    }
  }

  /** Prefetches what lookups of these hashes read first. */
  void prefetch(HashBatch batch, int from, int end) {
    Table now = table;
    long words = 0;
    for (int place = from; place < end; place++) {
      words ^= now.firstWord(batch.hash(batch.at(place)));
    }
    batch.keep(words);
  }

  /** Finds those of a batch that belong here. */
  void findEach(HashBatch batch, int from, int end) {
    while (from < end) {
      long before = (long) STAMP.getAcquire(this);
      if ((before & 1) == 0) {
        Table now = table;
        for (int place = from; place < end; place++) {
          int number = batch.at(place);
          batch.setLocation(number, now.findOnly(batch.hash(number)));
        }
        if (isUnchanged(before)) {
          return;
        }
      }
      Thread.onSpinWait();
    }
  }

  /** Fills in locations for this hash, as many as fit, and returns how many there are. */
  int findAll(long hash, long[] locations) {
    while (true) {
      long before = (long) STAMP.getAcquire(this);
      if ((before & 1) == 0) {
        int found = table.findAll(hash, locations);
        if (isUnchanged(before)) {
          return found;
        }
      }
      Thread.onSpinWait();
    }
  }

  private boolean isUnchanged(long before) {
    VarHandle.acquireFence(); // the reads above are complete before the stamp is read again
    return (long) STAMP.getOpaque(this) == before;
  }

  void add(long hash, long location) {
    lock.lock();
    try {
      addAt(table.seek(hash), hash, location);
    } finally {
      lock.unlock();
    }
  }

  /** Adds those of a batch that belong here. */
  void addEach(HashBatch batch, int from, int end) {
    if (from == end) {
      return;
    }
    lock.lock();
    try {
      int entries = count.getPlain() + end - from;
      if (table.isCrowdedBy(entries)) { // grows once
        int pages = table.pageCount();
        replaceTable(table.largerBy(Math.max(Table.pagesFor(entries) - pages, 1 + pages / 8)));
      }
      for (int near = from; near < end; near += NEAR) {
        int nearEnd = Math.min(end, near + NEAR);
        prefetch(batch, near, nearEnd);
        for (int place = near; place < nearEnd; place++) {
          int number = batch.at(place);
          long hash = batch.hash(number);
          addAt(table.seek(hash), hash, batch.location(number));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** False when there is an entry with this hash. */
  boolean addIfAbsent(long hash, long location) {
    lock.lock();
    try {
      int slot = table.seek(hash);
      boolean isAbsent = !table.holds(slot, hash);
      if (isAbsent) {
        addAt(slot, hash, location);
      }
      return isAbsent;
    } finally {
      lock.unlock();
    }
  }

  private void addAt(int sought, long hash, long location) {
    int slot = sought;
    int entries = count.getPlain() + 1;
    if (table.isCrowdedBy(entries)) {
      replaceTable(table.largerBy(1 + table.pageCount() / 8));
      slot = table.seek(hash);
    } else {
      leaveToViews();
    }
    while (true) {
      long before = beginChange();
      boolean added = table.add(slot, hash, location);
      endChange(before);
      if (added) {
        break;
      }
      replaceTable(table.withMoreOverflow());
      slot = table.seek(hash);
    }
    count.setRelease(entries);
  }

  /** False when there is no such entry. */
  boolean replace(long hash, long from, long to) {
    lock.lock();
    try {
      int slot = table.find(hash, from);
      if (slot >= 0) {
        leaveToViews();
        long before = beginChange();
        table.setLocation(slot, to);
        endChange(before);
      }
      return slot >= 0;
    } finally {
      lock.unlock();
    }
  }

  /** False when there is no such entry. */
  boolean remove(long hash, long location) {
    lock.lock();
    try {
      int slot = table.find(hash, location);
      if (slot >= 0) {
        leaveToViews();
        long before = beginChange();
        table.remove(slot);
        endChange(before);
        count.decrementAndGet();
      }
      return slot >= 0;
    } finally {
      lock.unlock();
    }
  }

  /** Before a change: if a view needs the table as it is, goes on in a copy. */
  private void leaveToViews() {
    if (views.isAnyAfter(ownSince)) {
      replaceTable(table.duplicate()); // of the same shape: slots stay where they are
    }
  }

  /** Readers go on in the old table while the new one is filled. */
  private void replaceTable(Table other) {
    Table old = table;
    long after = ownSince;
    publish(other);
    if (views.isAnyAfter(after)) {
      List<Kept> more = new ArrayList<>(kept);
      more.add(new Kept(old, after, ownSince));
      kept = List.copyOf(more);
    } else {
      old.release();
    }
  }

  private void publish(Table other) {
    long before = beginChange();
    table = other;
    ownSince = views.last();
    endChange(before);
  }

  /** The table that was kept for this view; null when the present one is as the view saw it. */
  @Nullable Table keptFor(long view) {
    if (ownSince < view) {
      return null;
    }
    lock.lock();
    try {
      if (ownSince < view) {
        return null;
      }
      for (Kept one : kept) {
        if (one.after < view && view <= one.upTo) {
          return one.table;
        }
      }
      throw new IllegalStateException("nothing was kept for view " + view);
    } finally {
      lock.unlock();
    }
  }

  /** Gives back what no view needs any more. */
  void releaseUnneeded() {
    lock.lock(); // not even a look without it: a writer may be about to keep one for that view
    try {
      List<Kept> needed = new ArrayList<>();
      for (Kept one : kept) {
        if (views.isAnyIn(one.after, one.upTo)) {
          needed.add(one);
        } else {
          one.table.release();
        }
      }
      kept = List.copyOf(needed);
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #findAll}, in the present table; -1 when the view has another. */
  int findAllFor(long view, long hash, long[] locations) {
    while (true) {
      long before = (long) STAMP.getAcquire(this);
      if ((before & 1) == 0) {
        boolean isOfView = ownSince < view;
        int found = isOfView ? table.findAll(hash, locations) : -1;
        if (isUnchanged(before)) {
          return found;
        }
      }
      Thread.onSpinWait();
    }
  }

  /** As {@link Table#entriesFrom}, of the present table; false when the view has another. */
  boolean entriesFor(long view, long fromHash, EntryBuffer into) {
    lock.lock();
    try {
      return ownSince < view && table.entriesFrom(fromHash, into);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets its memory, which is about to be freed. */
  void close() {
    lock.lock();
    try {
      publish(table.empty());
    } finally {
      lock.unlock();
    }
  }

  private long beginChange() {
    long before = (long) STAMP.getOpaque(this);
    STAMP.setOpaque(this, before + 1);
    VarHandle.storeStoreFence(); // the odd stamp is seen before any change is
    return before;
  }

  private void endChange(long before) {
    STAMP.setRelease(this, before + 2);
  }

  /** Gives all entries, by ascending hash; writers wait meanwhile. */
  <E extends Exception> void forEach(EntryVisitor<E> action) throws E {
    lock.lock();
    try {
      Table now = table;
      for (int slot = 0; slot < now.slots(); slot++) {
        long location = now.location(slot);
        if (location != Location.NONE) {
          action.entry(now.hash(slot), location);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Copies the entries into a draft with room for more; false when two have the same hash. */
  boolean copyTo(TableDraft draft, int moreEntries) {
    lock.lock();
    try {
      draft.clear(count.getPlain() + moreEntries);
      return table.forEachDistinct(draft::addLast);
    } finally {
      lock.unlock();
    }
  }

  /** Takes these entries instead of all that it has. */
  void take(Table other, int entries) {
    lock.lock();
    try {
      replaceTable(other);
      count.setRelease(entries);
    } finally {
      lock.unlock();
    }
  }
}
