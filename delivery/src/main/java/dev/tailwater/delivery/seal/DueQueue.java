package dev.tailwater.delivery.seal;

import dev.tailwater.delivery.tail.Tail;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tails that wait to be sealed, each at its time; in a hurry, or when too much is at risk, the one
 * that brings most bytes to safety for each second of work comes first. A tail is in at most one
 * place: waiting here, or claimed by one worker. Thread-safe.
 */
public final class DueQueue {
  /** A tail that is the caller's to read until it is released. */
  public record Claim(Tail tail, long dueNanos) {}

  private final WaitingTails waiting = new WaitingTails();
  private final Map<Tail, WaitingTails.Entry> current = new HashMap<>();
  private final Set<Tail> claimed = new HashSet<>();
  private final DuePolicy policy;
  private final LongSupplier nanoClock;
  private final LongSupplier stagedBytes;
  private @Nullable Tail lastClaimed;
  private int hurries;
  private boolean closed;

  /** Of a destination of which nothing is known to be under way. */
  public DueQueue(DuePolicy policy, LongSupplier nanoClock) {
    this(policy, nanoClock, () -> 0);
  }

  /**
   * @param stagedBytes that were read and are not yet durable
   */
  public DueQueue(DuePolicy policy, LongSupplier nanoClock, LongSupplier stagedBytes) {
    this.policy = policy;
    this.nanoClock = nanoClock;
    this.stagedBytes = stagedBytes;
  }

  /** Sees to it that the tail is sealed when it is due, if it has work. */
  public synchronized void schedule(Tail tail) {
    if (claimed.contains(tail)) {
      return; // release() looks again.
    }
    long now = nanoClock.getAsLong();
    OptionalLong due = policy.dueNanos(tail, now);
    WaitingTails.Entry before = current.get(tail);
    if (due.isEmpty()) {
      withdraw(tail);
      return;
    }
    long dueNanos = due.getAsLong();
    if (before != null && before.dueNanos() - dueNanos < 0) {
      dueNanos = before.dueNanos();
    }
    WaitingTails.Entry entry = waiting.entry(tail, dueNanos, Gain.of(tail), now);
    if (before != null) {
      if (before.hasPlaceOf(entry)) {
        waiting.grown(before, tail.unreadBytes());
        if (isPressed()) {
          notifyAll();
        }
        return;
      }
      waiting.remove(before);
    }
    current.put(tail, entry);
    waiting.add(entry);
    notifyAll();
  }

  private void withdraw(Tail tail) {
    WaitingTails.Entry before = current.remove(tail);
    if (before != null) {
      waiting.remove(before);
    }
  }

  /** The tail has less to do than when it was scheduled: it is sealed when it is due again. */
  public synchronized void scheduleAnew(Tail tail) {
    if (!claimed.contains(tail)) {
      withdraw(tail);
    }
    schedule(tail);
  }

  /** Waits for the next due tail; empty when the queue is closed. */
  public Optional<Claim> claim() throws InterruptedException {
    return claim(false);
  }

  /**
   * Waits for the next due tail.
   *
   * @param onlyInAHurry whether the caller is there for hurries only
   * @return empty when the queue is closed, or nobody is in the hurry any more that the caller is
   *     there for
   */
  Optional<Claim> claim(boolean onlyInAHurry) throws InterruptedException {
    return claim(onlyInAHurry, () -> false);
  }

  /**
   * The same for somebody who may be told to go.
   *
   * @param gone whether that has come; whoever tells it {@linkplain #wake wakes} those who wait
   */
  synchronized Optional<Claim> claim(boolean onlyInAHurry, BooleanSupplier gone)
      throws InterruptedException {
    while (!closed && !(onlyInAHurry && hurries == 0) && !gone.getAsBoolean()) {
      long now = nanoClock.getAsLong();
      Optional<Next> next = next(now);
      if (next.isEmpty()) {
        wait();
      } else if (next.get().waitNanos() > 0) {
        wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(next.get().waitNanos())));
      } else {
        return Optional.of(claim(next.get(), now));
      }
    }
    return Optional.empty();
  }

  /** Claims the next tail if it is due. */
  synchronized Optional<Claim> poll() {
    long now = nanoClock.getAsLong();
    return next(now).filter(next -> next.waitNanos() <= 0).map(next -> claim(next, now));
  }

  /** Who comes next, and how long that takes. */
  private record Next(WaitingTails.Entry entry, long waitNanos) {}

  private Optional<Next> next(long now) {
    return hurries > 0 || isPressed()
        ? best(now).map(best -> new Next(best, waiting.pressedWaitNanos(best, now)))
        : waiting.next().map(first -> new Next(first, first.dueNanos() - now));
  }

  /**
   * A file that brings most even after its turn, as one of nothing but zeros does for hours, takes
   * turns with the others.
   */
  private Optional<WaitingTails.Entry> best(long now) {
    Optional<WaitingTails.Entry> best = waiting.best(now);
    return best.isPresent() && best.get().tail() == lastClaimed
        ? waiting.longestWaiting(lastClaimed, now).or(() -> best)
        : best;
  }

  /** Whether another tail is due now. */
  synchronized boolean isAnyDue() {
    return next(nanoClock.getAsLong()).filter(next -> next.waitNanos() <= 0).isPresent();
  }

  private Claim claim(Next next, long now) {
    Tail tail = next.entry().tail();
    lastClaimed = tail;
    withdraw(tail);
    claimed.add(tail);
    return new Claim(tail, earlier(next.entry().dueNanos(), now));
  }

  private static long earlier(long dueNanos, long now) {
    return dueNanos - now < 0 ? dueNanos : now;
  }

  /**
   * Whether so much is at risk that nothing waits for its time: half of the bound, and a part of it
   * unread that makes sealing worth the while. The other half is for what is under way.
   */
  private boolean isPressed() {
    if (policy.mostBytes().isEmpty()) {
      return false;
    }
    long most = policy.mostBytes().getAsLong();
    long unread = unreadBytes();
    return unread >= most / 8 && unread + stagedBytes.getAsLong() >= most / 2;
  }

  /** Gives a claimed tail back; it waits again if it still has work. */
  public synchronized void release(Tail tail) {
    claimed.remove(tail);
    tail.served(nanoClock.getAsLong());
    schedule(tail);
    notifyAll();
  }

  /** Waits until all that were claimed are given back; false when the time is over first. */
  public synchronized boolean awaitReleases(long timeoutMillis) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (!claimed.isEmpty()) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (leftMillis <= 0) {
        return false;
      }
      wait(leftMillis);
    }
    return true;
  }

  /** Claims this very tail, due or not; false when a worker has it. */
  public synchronized boolean tryClaim(Tail tail) {
    if (!claimed.add(tail)) {
      return false;
    }
    withdraw(tail);
    return true;
  }

  /** Whether a worker has this very tail. */
  public synchronized boolean isClaimed(Tail tail) {
    return claimed.contains(tail);
  }

  /** Bytes that have been seen and not yet read. */
  public synchronized long unreadBytes() {
    long bytes = waiting.unreadBytes();
    for (Tail tail : claimed) {
      bytes += tail.unreadBytes();
    }
    return bytes;
  }

  /** Of them, those of files that could not be read when it was tried, and are tried again. */
  public synchronized long unreadableBytes() {
    return waiting.deferredBytes();
  }

  /** When the oldest unread byte was seen; empty when there is none. */
  public synchronized OptionalLong oldestUnreadNanos() {
    long now = nanoClock.getAsLong();
    long oldest = -1;
    for (Set<Tail> tails : List.of(current.keySet(), claimed)) {
      for (Tail tail : tails) {
        OptionalLong since = tail.unreadSinceNanos();
        if (since.isPresent()) {
          oldest = Math.max(oldest, now - since.getAsLong());
        }
      }
    }
    return oldest < 0 ? OptionalLong.empty() : OptionalLong.of(now - oldest);
  }

  /** Those who wait look again whether they still should. */
  synchronized void wake() {
    notifyAll();
  }

  /** How old bytes may become. */
  long maxAgeNanos() {
    return policy.maxAgeNanos();
  }

  /**
   * Until when a worker may rest over a segment that was due at that time: not at all while too
   * much is at risk.
   */
  synchronized long restsUntilNanos(long dueNanos) {
    return hurries > 0 || isPressed() ? dueNanos : dueNanos + policy.restNanos();
  }

  /** How long ago the first that waits was due; negative when it is due later, or none waits. */
  synchronized long latenessNanos() {
    return waiting.next().map(first -> nanoClock.getAsLong() - first.dueNanos()).orElse(-1L);
  }

  /** Whether no tail waits and none is claimed. */
  public synchronized boolean isEmpty() {
    return current.isEmpty() && claimed.isEmpty();
  }

  /** Whether all that waits cannot be done now, and none is claimed. */
  public synchronized boolean hasOnlyDeferred() {
    return claimed.isEmpty()
        && current.keySet().stream().allMatch(tail -> tail.deferredUntilNanos().isPresent());
  }

  /** Everything is due now, or, when all who asked for that are done, at its time again. */
  public synchronized void hurry(boolean hurry) {
    hurries += hurry ? 1 : -1;
    for (Tail tail : List.copyOf(current.keySet())) {
      tail.undefer();
      scheduleAnew(tail);
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
