package dev.tailwater.delivery.merge;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.RefusedDestinationException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The objects of one kind that a longer one covers, until they are removed. Where the destination
 * forbids that, nothing is removed or merged any more in this run, since it would double the
 * archive. Thread-safe.
 */
final class Removals {
  private final Destination destination;
  private final MergeCounters counters;
  private final AtomicBoolean forbidden;

  @GuardedBy("this")
  private final Deque<String> keys = new ArrayDeque<>();

  /**
   * Creates an empty list.
   *
   * @param forbidden set when the destination forbids to remove
   */
  Removals(Destination destination, MergeCounters counters, AtomicBoolean forbidden) {
    this.destination = destination;
    this.counters = counters;
    this.forbidden = forbidden;
  }

  /** Adds keys, unless they cannot be removed anyway. */
  synchronized void add(List<String> more) {
    if (!forbidden.get()) {
      keys.addAll(more);
    }
  }

  synchronized boolean isEmpty() {
    return keys.isEmpty();
  }

  boolean areForbidden() {
    return forbidden.get();
  }

  /**
   * Removes them one after the other as long as that is allowed now. For one thread at a time.
   *
   * @return whether any was removed
   * @throws RefusedDestinationException the destination forbids it; the list is empty
   */
  boolean removeWhile(BooleanSupplier allowed) throws DestinationException {
    boolean any = false;
    for (Optional<String> key = first(); key.isPresent(); key = first()) {
      if (!allowed.getAsBoolean()) {
        return any;
      }
      try {
        destination.delete(key.get());
      } catch (RefusedDestinationException e) {
        forbid();
        throw e;
      }
      removed();
      any = true;
    }
    return any;
  }

  private synchronized Optional<String> first() {
    return Optional.ofNullable(keys.peekFirst());
  }

  private synchronized void removed() {
    keys.removeFirst();
    counters.superseded();
  }

  private synchronized void forbid() {
    forbidden.set(true);
    keys.clear();
  }
}
