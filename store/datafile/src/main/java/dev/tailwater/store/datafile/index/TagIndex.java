package dev.tailwater.store.datafile.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The index of records by tag: for each tag, pairs of a key's hash and the number of its record. A
 * pair takes about 21 bytes outside the Java heap; a tag with at most 32 pairs is on the heap, with
 * some 200 bytes and 16 for each pair.
 *
 * <p>It may have pairs of replaced records, but never lacks a pair; a search compares the number
 * with that of the record that it finds. While views are open, removed pairs stay for them.
 * Thread-safe.
 */
public final class TagIndex implements AutoCloseable {
  private static final int REMOVALS_AT_ONCE = 1024;

  private final PageMemory memory = new PageMemory();
  private final ViewNumbers views = new ViewNumbers();
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final TreeMap<String, PairSet> sets = new TreeMap<>();

  /** The sets by {@link PairSet#id()}; null for free ids. */
  @GuardedBy("lock")
  private final List<@Nullable Tagged> byId = new ArrayList<>();

  @GuardedBy("lock")
  private final List<Integer> freeIds = new ArrayList<>();

  @GuardedBy("lock")
  private final RemovalQueue waiting = new RemovalQueue(memory);

  @GuardedBy("lock")
  private long size;

  private volatile boolean used;

  private record Tagged(String indexTag, PairSet pairs) {}

  /** Creates an empty index, which takes no native memory yet. */
  public TagIndex() {}

  /** Adds a pair, unless it is there already. */
  public void add(String indexTag, long hash, long number) {
    lock.lock();
    try {
      add(set(indexTag), hash, number);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Replaces all pairs of the tag with this hash by one. Only while there are no views, and for a
   * hash that only one key has.
   */
  public void put(String indexTag, long hash, long number) {
    lock.lock();
    try {
      PairSet set = set(indexTag);
      long before = set.size();
      set.removeAll(hash);
      set.add(hash, number);
      size += set.size() - before;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void add(PairSet set, long hash, long number) {
    long before = set.size();
    set.add(hash, number);
    size += set.size() - before;
  }

  @GuardedBy("lock")
  private PairSet set(String indexTag) {
    PairSet set = sets.get(indexTag);
    if (set == null) {
      used = true;
      int id = freeIds.isEmpty() ? byId.size() : freeIds.removeLast();
      set = new PairSet(memory, id);
      Tagged tagged = new Tagged(indexTag, set);
      if (id == byId.size()) {
        byId.add(tagged);
      } else {
        byId.set(id, tagged);
      }
      sets.put(indexTag, set);
    }
    return set;
  }

  /** Removes a pair, at the latest when the views that may need it are closed. */
  public void remove(String indexTag, long hash, long number) {
    lock.lock();
    try {
      PairSet set = sets.get(indexTag);
      if (set == null) {
        return;
      }
      if (views.isAnyAfter(0)) {
        if (set.mark(hash, number)) {
          waiting.add(set.id(), hash, number, views.last());
        }
      } else if (set.remove(hash, number)) {
        removed(indexTag, set);
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void removed(String indexTag, PairSet set) {
    size--;
    if (set.size() == 0) {
      sets.remove(indexTag);
      byId.set(set.id(), null);
      freeIds.add(set.id());
    }
  }

  /** Begins a view: all current pairs stay until {@link #endView}. */
  long beginView() {
    return views.begin();
  }

  /** Ends a view. */
  void endView(long view) {
    views.end(view);
    while (removeWaiting()) {
      Thread.onSpinWait(); // lets other threads take the lock in between
    }
  }

  /** Removes some waiting pairs; returns false when no more can be removed. */
  private boolean removeWaiting() {
    lock.lock();
    try {
      for (int i = 0; i < REMOVALS_AT_ONCE; i++) {
        if (waiting.isEmpty() || views.isAnyIn(0, waiting.firstView())) {
          return false;
        }
        Tagged tagged = byId.get(waiting.firstSet());
        if (tagged != null
            && tagged.pairs.removeMarked(waiting.firstHash(), waiting.firstNumber())) {
          removed(tagged.indexTag, tagged.pairs);
        }
        waiting.removeFirst();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether there was ever a pair, without a lock. */
  public boolean isUsed() {
    return used;
  }

  /** Fills the buffer with pairs of a tag, from this hash on. */
  public void pairs(String indexTag, long fromHash, EntryBuffer into) {
    lock.lock();
    try {
      PairSet set = sets.get(indexTag);
      if (set == null) {
        into.clear();
      } else {
        set.pairsFrom(fromHash, into);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the first tag that is not before this one. */
  public Optional<String> firstFrom(String indexTag) {
    lock.lock();
    try {
      return Optional.ofNullable(sets.ceilingKey(indexTag));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the tags from one, inclusive, to another, exclusive, each with the number of its pairs.
   */
  public SortedMap<String, Long> counts(String from, String before) {
    lock.lock();
    try {
      SortedMap<String, Long> counts = new TreeMap<>();
      sets.subMap(from, before)
          .forEach(
              (indexTag, set) -> {
                if (set.live() > 0) {
                  counts.put(indexTag, set.live());
                }
              });
      return counts;
    } finally {
      lock.unlock();
    }
  }

  /** Number of tags. */
  public int tagCount() {
    lock.lock();
    try {
      return sets.size();
    } finally {
      lock.unlock();
    }
  }

  /** Number of pairs. */
  public long size() {
    lock.lock();
    try {
      return size;
    } finally {
      lock.unlock();
    }
  }

  /** Bytes of native memory that are in use. */
  public long usedBytes() {
    return memory.usedBytes();
  }

  /** Receives the contents, tag by tag. */
  public interface Visitor<E extends Exception> {
    /** A tag, and how many pairs will follow. */
    void indexTag(String indexTag, long pairs) throws E;

    /** A pair of that tag. */
    void pair(long hash, long number) throws E;
  }

  /** Visits all pairs that are not removed; nobody may change the index meanwhile. */
  public <E extends Exception> void forEach(Visitor<E> visitor) throws E {
    lock.lock();
    try {
      for (var tagged : sets.entrySet()) {
        PairSet set = tagged.getValue();
        visitor.indexTag(tagged.getKey(), set.live());
        set.forEach(visitor::pair);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Frees the memory. Nobody may use it any more. */
  @Override
  public void close() {
    memory.close();
  }
}
