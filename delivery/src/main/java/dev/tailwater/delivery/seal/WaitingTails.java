package dev.tailwater.delivery.seal;

import dev.tailwater.delivery.tail.Tail;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/** Tails in each order in which they may be wanted. Guarded by the {@link DueQueue}. */
final class WaitingTails {
  private static final Comparator<Entry> BY_DUE =
      (a, b) -> first(Long.signum(a.dueNanos - b.dueNanos), Long.compare(a.number, b.number));

  /** Of those that bring as much, the one that has waited longest. */
  private static final Comparator<Entry> BY_GAIN =
      (a, b) -> first(Integer.compare(b.gain, a.gain), BY_DUE.compare(a, b));

  private static final Comparator<Entry> BY_RETRY =
      (a, b) -> first(Long.signum(a.retryNanos - b.retryNanos), Long.compare(a.number, b.number));

  private final TreeSet<Entry> byDue = new TreeSet<>(BY_DUE);
  private final TreeSet<Entry> byGain = new TreeSet<>(BY_GAIN);
  private final TreeSet<Entry> deferred = new TreeSet<>(BY_RETRY);
  private long counter;
  private long unreadBytes;

  private static int first(int one, int other) {
    return one != 0 ? one : other;
  }

  /** One tail's place. */
  static final class Entry {
    private final Tail tail;
    private final long dueNanos;
    private final int gain;
    private final boolean isDeferred;
    private final long retryNanos;
    private final long number;
    private long unreadBytes;

    private Entry(
        Tail tail, long dueNanos, int gain, boolean isDeferred, long retryNanos, long number) {
      this.tail = tail;
      this.dueNanos = dueNanos;
      this.gain = gain;
      this.isDeferred = isDeferred;
      this.retryNanos = retryNanos;
      this.number = number;
      this.unreadBytes = tail.unreadBytes();
    }

    Tail tail() {
      return tail;
    }

    long dueNanos() {
      return dueNanos;
    }

    /** Whether it stands in each order where the other would. */
    boolean hasPlaceOf(Entry other) {
      return dueNanos == other.dueNanos
          && gain == other.gain
          && isDeferred == other.isDeferred
          && retryNanos == other.retryNanos;
    }
  }

  /** A place that nobody has taken yet. */
  Entry entry(Tail tail, long dueNanos, int gain, long now) {
    long retryNanos = tail.deferredUntilNanos().orElse(now);
    boolean isDeferred = retryNanos - now > 0;
    return new Entry(tail, dueNanos, gain, isDeferred, isDeferred ? retryNanos : 0, counter++);
  }

  void add(Entry entry) {
    byDue.add(entry);
    (entry.isDeferred ? deferred : byGain).add(entry);
    unreadBytes += entry.unreadBytes;
  }

  void remove(Entry entry) {
    byDue.remove(entry);
    if (!deferred.remove(entry)) {
      byGain.remove(entry);
    }
    unreadBytes -= entry.unreadBytes;
  }

  /** There is more to read of it, or less, and its place is still right. */
  void grown(Entry entry, long nowUnreadBytes) {
    unreadBytes += nowUnreadBytes - entry.unreadBytes;
    entry.unreadBytes = nowUnreadBytes;
  }

  long unreadBytes() {
    return unreadBytes;
  }

  /** Of the tails that cannot be read now. */
  long deferredBytes() {
    return deferred.stream().mapToLong(entry -> entry.unreadBytes).sum();
  }

  /** The one whose time comes first. */
  Optional<Entry> next() {
    return byDue.isEmpty() ? Optional.empty() : Optional.of(byDue.first());
  }

  /**
   * The one that brings most; a file that cannot be read now does not stand before those that can,
   * but when it may be tried again it takes part again.
   */
  Optional<Entry> best(long now) {
    while (!deferred.isEmpty() && deferred.first().retryNanos - now <= 0) {
      byGain.add(deferred.pollFirst());
    }
    if (!byGain.isEmpty()) {
      return Optional.of(byGain.first());
    }
    return deferred.isEmpty() ? Optional.empty() : Optional.of(deferred.first());
  }

  /** Of those that can be read now, but for one, the one whose time came first. */
  Optional<Entry> longestWaiting(Tail butFor, long now) {
    return byDue.stream()
        .filter(entry -> entry.tail != butFor && !(entry.isDeferred && entry.retryNanos - now > 0))
        .findFirst();
  }

  /** How long the {@link #best} is to wait for. */
  long pressedWaitNanos(Entry entry, long now) {
    return deferred.contains(entry) ? entry.retryNanos - now : 0;
  }
}
