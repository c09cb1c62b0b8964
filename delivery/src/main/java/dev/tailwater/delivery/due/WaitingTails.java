package dev.tailwater.delivery.due;

import dev.tailwater.archive.ByteSum;
import dev.tailwater.delivery.tail.Tail;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The waiting tails, sorted by each order in which they may be wanted. Not thread-safe: the {@link
 * DueQueue} guards it.
 */
final class WaitingTails {
  static final Comparator<Entry> BY_DUE =
      (a, b) -> first(Long.signum(a.dueNanos - b.dueNanos), Long.compare(a.number, b.number));

  private static final Comparator<Entry> BY_RETRY =
      (a, b) -> first(Long.signum(a.retryNanos - b.retryNanos), Long.compare(a.number, b.number));

  private final Map<Tail, Entry> byTail = new HashMap<>();
  private final TreeSet<Entry> byDue = new TreeSet<>(BY_DUE);
  private final GainOrder byGain = new GainOrder();
  private final TreeSet<Entry> deferred = new TreeSet<>(BY_RETRY);
  private final DueTurns turns = new DueTurns();
  private long counter;
  private final ByteTally unread = new ByteTally();

  private static int first(int one, int other) {
    return one != 0 ? one : other;
  }

  /** A tail's place in the orders. */
  static final class Entry {
    private final Tail tail;
    private final Claimant claimant;
    private final long dueNanos;
    private final boolean isDeferred;
    private final long retryNanos;
    private final long number;
    private int gain;
    private long unreadBytes;

    private Entry(
        Tail tail,
        Claimant claimant,
        long dueNanos,
        boolean isDeferred,
        long retryNanos,
        long number) {
      this.tail = tail;
      this.claimant = claimant;
      this.dueNanos = dueNanos;
      this.isDeferred = isDeferred;
      this.retryNanos = retryNanos;
      this.number = number;
      this.unreadBytes = tail.work().unreadBytes();
    }

    Tail tail() {
      return tail;
    }

    Claimant claimant() {
      return claimant;
    }

    long dueNanos() {
      return dueNanos;
    }

    /** Returns what {@link Gain#of} said last; for the {@link GainOrder}, which sets it. */
    int gain() {
      return gain;
    }

    void setGain(int now) {
      gain = now;
    }

    /** Returns whether the tail is still deferred. */
    boolean isDeferred(long now) {
      return isDeferred && retryNanos - now > 0;
    }

    /** Returns whether it has the same place as the other in each order but that by gain. */
    boolean hasPlaceOf(Entry other) {
      return claimant.equals(other.claimant)
          && dueNanos == other.dueNanos
          && isDeferred == other.isDeferred
          && retryNanos == other.retryNanos;
    }
  }

  /** Creates an entry that is not among the waiting ones yet. */
  Entry entry(Tail tail, Claimant claimant, long dueNanos, long now) {
    long retryNanos = tail.scheduling().deferredUntilNanos().orElse(now);
    boolean isDeferred = retryNanos - now > 0;
    return new Entry(tail, claimant, dueNanos, isDeferred, isDeferred ? retryNanos : 0, counter++);
  }

  void add(Entry entry) {
    byTail.put(entry.tail, entry);
    byDue.add(entry);
    turns.add(entry);
    if (entry.isDeferred) {
      deferred.add(entry);
    } else {
      byGain.add(entry);
    }
    unread.add(entry.unreadBytes);
  }

  void remove(Entry entry) {
    byTail.remove(entry.tail);
    byDue.remove(entry);
    turns.remove(entry);
    if (!deferred.remove(entry)) {
      byGain.remove(entry);
    }
    unread.remove(entry.unreadBytes);
  }

  /** Removes a tail, if it waits. */
  void remove(Tail tail) {
    Entry entry = byTail.get(tail);
    if (entry != null) {
      remove(entry);
    }
  }

  /** Returns the place of a tail; null if it does not wait. */
  @Nullable Entry of(Tail tail) {
    return byTail.get(tail);
  }

  /** Returns all tails, in no order. */
  Set<Tail> tails() {
    return byTail.keySet();
  }

  int count() {
    return byTail.size();
  }

  boolean isEmpty() {
    return byTail.isEmpty();
  }

  /** Returns a tail of which bytes were replaced, and that is not deferred. */
  Optional<Entry> rewritten(long now) {
    for (Entry entry : byTail.values()) {
      if (entry.tail.work().hasRewritten() && !entry.isDeferred(now)) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }

  /** Notes how many bytes are unread now of a tail that keeps its place. */
  void grown(Entry entry, long nowUnreadBytes) {
    unread.remove(entry.unreadBytes);
    unread.add(nowUnreadBytes);
    entry.unreadBytes = nowUnreadBytes;
    if (!deferred.contains(entry)) {
      byGain.grown(entry);
    }
  }

  long unreadBytes() {
    return unread.bytes();
  }

  /** Returns how many bytes are unread of the deferred tails. */
  long deferredBytes() {
    return deferred.stream().mapToLong(entry -> entry.unreadBytes).reduce(0, ByteSum::of);
  }

  /** Returns the tail that is due first. */
  Optional<Entry> next() {
    return byDue.isEmpty() ? Optional.empty() : Optional.of(byDue.first());
  }

  /** Returns whether no tail is due before this one. */
  boolean isFirst(Entry entry) {
    return !byDue.isEmpty() && byDue.first() == entry;
  }

  /** Returns the tail whose turn it is; if none is due, the one that is due first. */
  Optional<Entry> nextInTurn(long now) {
    return turns.next(now);
  }

  /** Ends the turn of a claimant: others that have tails that are due come first. */
  void endTurn(Claimant claimant) {
    turns.endTurn(claimant);
  }

  /**
   * Returns the tail with the most gain. A deferred tail comes after all others, until its time has
   * come.
   */
  Optional<Entry> best(long now) {
    while (!deferred.isEmpty() && deferred.first().retryNanos - now <= 0) {
      byGain.add(deferred.pollFirst());
    }
    Optional<Entry> best = byGain.first(this::notDeferred);
    return best.isPresent() || deferred.isEmpty() ? best : Optional.of(deferred.first());
  }

  private Stream<Entry> notDeferred() {
    return byDue.stream().filter(entry -> !deferred.contains(entry));
  }

  /** Returns the tail that is due first, of those that are not deferred, except for one. */
  Optional<Entry> longestWaiting(Tail except, long now) {
    return byDue.stream()
        .filter(entry -> entry.tail != except && !(entry.isDeferred && entry.retryNanos - now > 0))
        .findFirst();
  }

  /** Returns how long the {@link #best} must still wait. */
  long pressedWaitNanos(Entry entry, long now) {
    return deferred.contains(entry) ? entry.retryNanos - now : 0;
  }
}
