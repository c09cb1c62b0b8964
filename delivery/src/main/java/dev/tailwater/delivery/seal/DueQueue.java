package dev.tailwater.delivery.seal;

import dev.tailwater.delivery.tail.Tail;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tails in the order in which they must be sealed. A tail is in at most one place: waiting here, or
 * claimed by one worker. Thread-safe.
 */
public final class DueQueue {
  private record Entry(long dueNanos, long number, Tail tail) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byDue = Long.signum(dueNanos - other.dueNanos);
      return byDue != 0 ? byDue : Long.compare(number, other.number);
    }
  }

  /** A tail that is the caller's to read until it is released. */
  public record Claim(Tail tail, long dueNanos) {}

  private final PriorityQueue<Entry> entries = new PriorityQueue<>();
  private final Map<Tail, Entry> current = new HashMap<>();
  private final Set<Tail> claimed = new HashSet<>();
  private final DuePolicy policy;
  private final LongSupplier nanoClock;
  private int hurries;
  private boolean closed;
  private long counter;

  public DueQueue(DuePolicy policy, LongSupplier nanoClock) {
    this.policy = policy;
    this.nanoClock = nanoClock;
  }

  /** Sees to it that the tail is sealed when it is due, if it has work. */
  public synchronized void schedule(Tail tail) {
    if (claimed.contains(tail)) {
      return; // release() looks again.
    }
    OptionalLong due = policy.dueNanos(tail, nanoClock.getAsLong());
    Entry before = current.get(tail);
    if (due.isEmpty()) {
      if (before != null) {
        current.remove(tail);
        entries.remove(before);
      }
      return;
    }
    if (before != null) {
      if (before.dueNanos() <= due.getAsLong()) {
        return;
      }
      entries.remove(before);
    }
    Entry entry = new Entry(due.getAsLong(), counter++, tail);
    current.put(tail, entry);
    entries.add(entry);
    notifyAll();
  }

  /** The tail has less to do than when it was scheduled: it is sealed when it is due again. */
  public synchronized void scheduleAnew(Tail tail) {
    Entry before = claimed.contains(tail) ? null : current.remove(tail);
    if (before != null) {
      entries.remove(before);
    }
    schedule(tail);
  }

  /** Waits for the next due tail; empty when the queue is closed. */
  public synchronized Optional<Claim> claim() throws InterruptedException {
    while (!closed) {
      Entry first = first();
      if (first == null) {
        wait();
        continue;
      }
      long now = nanoClock.getAsLong();
      long waitNanos = waitNanos(first, now);
      if (waitNanos > 0) {
        wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNanos)));
        continue;
      }
      entries.remove(first);
      current.remove(first.tail());
      claimed.add(first.tail());
      return Optional.of(new Claim(first.tail(), Math.min(first.dueNanos(), now)));
    }
    return Optional.empty();
  }

  /** In a hurry a file that cannot be read now must not stand before those that can. */
  private @Nullable Entry first() {
    Entry first = entries.peek();
    if (first == null || hurries == 0 || first.tail().deferredUntilNanos().isEmpty()) {
      return first;
    }
    long now = nanoClock.getAsLong();
    return entries.stream()
        .min(
            Comparator.comparingLong((Entry entry) -> Math.max(0, waitNanos(entry, now)))
                .thenComparing(Comparator.naturalOrder()))
        .orElse(first);
  }

  private long waitNanos(Entry entry, long now) {
    long dueNanos = entry.dueNanos() - now;
    return hurries == 0
        ? dueNanos
        : Math.min(dueNanos, entry.tail().deferredUntilNanos().orElse(now) - now);
  }

  /** Gives a claimed tail back; it waits again if it still has work. */
  public synchronized void release(Tail tail) {
    claimed.remove(tail);
    schedule(tail);
    notifyAll();
  }

  /** Claims this very tail, due or not; false when a worker has it. */
  public synchronized boolean tryClaim(Tail tail) {
    if (!claimed.add(tail)) {
      return false;
    }
    Entry waiting = current.remove(tail);
    if (waiting != null) {
      entries.remove(waiting);
    }
    return true;
  }

  /** Whether no tail waits and none is claimed. */
  public synchronized boolean isEmpty() {
    return entries.isEmpty() && claimed.isEmpty();
  }

  /** Whether all that waits cannot be done now, and none is claimed. */
  public synchronized boolean hasOnlyDeferred() {
    return claimed.isEmpty()
        && entries.stream().allMatch(entry -> entry.tail().deferredUntilNanos().isPresent());
  }

  /** Everything is due now, or, when all who asked for that are done, at its time again. */
  public synchronized void hurry(boolean hurry) {
    hurries += hurry ? 1 : -1;
    for (Entry entry : entries) {
      entry.tail().undefer();
    }
    notifyAll();
  }

  /** From now on tails are due while their bytes are younger; or, when all is well, as before. */
  public synchronized void expectNotice(boolean expected) {
    if (policy.expectNotice(expected)) {
      List.copyOf(current.keySet()).forEach(this::scheduleAnew);
      notifyAll();
    }
  }

  /** Whether nothing will be claimed any more. */
  public synchronized boolean isClosed() {
    return closed;
  }

  /** No more claims. */
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
