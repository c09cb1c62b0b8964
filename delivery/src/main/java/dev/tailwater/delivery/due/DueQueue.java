package dev.tailwater.delivery.due;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ByteSum;
import dev.tailwater.delivery.pack.FactQueue;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.tempo.Tempo.Mode;
import dev.tailwater.delivery.time.Deadline;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The tails that wait to be sealed, ordered by when they are due; where several are, sources and
 * owners {@linkplain DueTurns take turns}. In a hurry the order is by {@link Gain} instead: first
 * the tail that makes the most bytes durable per unit of cost. When too much is at risk, every
 * other claim is by gain, and by turns if something is due. A tail is in at most one place: waiting
 * here, or claimed by one worker. Thread-safe.
 */
public final class DueQueue {
  /**
   * Work for the caller.
   *
   * @param tail only the caller may read it until it releases it; empty when facts are to be said
   */
  public record Claim(Optional<Tail> tail, long dueNanos) {}

  @GuardedBy("this")
  private final WaitingTails waiting = new WaitingTails();

  @GuardedBy("this")
  private final ClaimChoice choice = new ClaimChoice(waiting);

  @GuardedBy("this")
  private final ClaimedTails claimed = new ClaimedTails();

  private final DuePolicy policy;
  private final Claimants claimants;
  private final LongSupplier nanoClock;
  private final LongSupplier stagedBytes;
  private final Tempo tempo;
  private final FactQueue facts;

  @GuardedBy("this")
  private boolean expectsTails;

  @GuardedBy("this")
  private boolean closed;

  /** Creates a queue for a destination with nothing in flight, of an agent that never hurries. */
  public DueQueue(DuePolicy policy, LongSupplier nanoClock) {
    this(
        policy,
        new Claimants(List.of()),
        nanoClock,
        () -> 0,
        new Tempo(),
        new FactQueue(nanoClock));
  }

  /**
   * Creates a queue.
   *
   * @param claimants tells whose tails are
   * @param stagedBytes how many bytes were read and are not yet durable
   * @param facts what packs must say of streams; also due when it is old enough
   */
  public DueQueue(
      DuePolicy policy,
      Claimants claimants,
      LongSupplier nanoClock,
      LongSupplier stagedBytes,
      Tempo tempo,
      FactQueue facts) {
    this.facts = facts;
    this.policy = policy;
    this.claimants = claimants;
    this.nanoClock = nanoClock;
    this.stagedBytes = stagedBytes;
    this.tempo = tempo;
    tempo.onChange(Mode.HURRY, this::tempoChanged);
    facts.onChange(this::wake);
  }

  /**
   * Notes whether there are tails that are about to be scheduled: nobody may take the queue for
   * empty until they are. The first of them must not be seen elsewhere before this.
   */
  public synchronized void expectTails(boolean expected) {
    expectsTails = expected;
  }

  /** Schedules the tail for sealing, if it has work. */
  public synchronized void schedule(Tail tail) {
    if (claimed.contains(tail)) {
      return; // release() schedules it.
    }
    long now = nanoClock.getAsLong();
    OptionalLong due = policy.dueNanos(tail, now);
    WaitingTails.Entry before = waiting.of(tail);
    if (due.isEmpty()) {
      waiting.remove(tail);
      return;
    }
    long dueNanos = due.getAsLong();
    if (before != null && before.dueNanos() - dueNanos < 0) {
      dueNanos = before.dueNanos();
    }
    WaitingTails.Entry entry = waiting.entry(tail, claimants.of(tail), dueNanos, now);
    if (before != null) {
      if (before.hasPlaceOf(entry)) {
        waiting.grown(before, tail.work().unreadBytes());
        if (isPressed()) {
          notifyAll();
        }
        return;
      }
      waiting.remove(before);
    }
    waiting.add(entry);
    // Whoever waits for a tail knows when the first one was due, and sleeps until then.
    if (waiting.isFirst(entry) || tempo.is(Mode.HURRY) || isPressed()) {
      notifyAll();
    }
  }

  /** Schedules a tail that may have become due later than when it was scheduled last. */
  public synchronized void scheduleAnew(Tail tail) {
    if (!claimed.contains(tail)) {
      waiting.remove(tail);
    }
    schedule(tail);
  }

  /** Waits for the next due tail; empty when the queue is closed. */
  public Optional<Claim> claim() throws InterruptedException {
    return claim(false, () -> false);
  }

  /**
   * Waits for the next due tail.
   *
   * @param onlyInAHurry whether the caller works during a hurry only
   * @param stopped whether the caller is to stop; whoever makes it true then calls {@link #wake}
   * @return empty when the queue is closed, or the caller is to stop, or the hurry that it works in
   *     is over
   */
  public synchronized Optional<Claim> claim(boolean onlyInAHurry, BooleanSupplier stopped)
      throws InterruptedException {
    while (!closed && !(onlyInAHurry && !tempo.is(Mode.HURRY)) && !stopped.getAsBoolean()) {
      long now = nanoClock.getAsLong();
      Optional<ClaimChoice.Next> next = next(now);
      OptionalLong factsWaitNanos = factsWaitNanos(now);
      long waitNanos = next.map(ClaimChoice.Next::waitNanos).orElse(Long.MAX_VALUE);
      if (factsWaitNanos.isPresent()
          && factsWaitNanos.getAsLong() <= 0
          && (waitNanos > 0 || !tempo.is(Mode.HURRY))) {
        return Optional.of(new Claim(Optional.empty(), now));
      } else if (waitNanos <= 0) {
        return Optional.of(claim(next.orElseThrow(), now));
      }
      waitNanos = Math.min(waitNanos, factsWaitNanos.orElse(Long.MAX_VALUE));
      if (waitNanos == Long.MAX_VALUE) {
        wait();
      } else {
        wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNanos)));
      }
    }
    return Optional.empty();
  }

  /** Returns how long it is until facts are due; empty when there are none. */
  @GuardedBy("this")
  private OptionalLong factsWaitNanos(long now) {
    OptionalLong since = facts.oldestNanos();
    if (since.isEmpty() || tempo.is(Mode.HURRY)) {
      return since.isEmpty() ? since : OptionalLong.of(0);
    }
    return OptionalLong.of(since.getAsLong() + policy.maxAgeNanos() - now);
  }

  /** Claims the next tail, if it is due. */
  synchronized Optional<Claim> poll() {
    long now = nanoClock.getAsLong();
    Optional<ClaimChoice.Next> next = next(now);
    return next.filter(ClaimChoice.Next::isDue).map(due -> claim(due, now));
  }

  /**
   * Claims the next tail whether it is due or not, unless it is deferred: what is sent anyway takes
   * along what would be due soon.
   */
  public synchronized Optional<Tail> pollEarly() {
    if (closed) {
      return Optional.empty();
    }
    long now = nanoClock.getAsLong();
    Optional<WaitingTails.Entry> first =
        tempo.is(Mode.HURRY) ? waiting.next() : waiting.nextInTurn(now);
    Optional<WaitingTails.Entry> next = first.filter(entry -> !entry.isDeferred(now));
    return next.or(() -> waiting.best(now).filter(entry -> !entry.isDeferred(now)))
        .flatMap(entry -> claim(entry, now).tail());
  }

  /**
   * Returns whether the agent is in a drain without a deadline, in which fewer packs matter more
   * than a moment.
   */
  public boolean hasTime() {
    return tempo.is(Mode.HURRY) && !tempo.is(Mode.FULL_SPEED);
  }

  /**
   * Does what {@link #pollEarly} does; waits for a tail until this moment, if it {@link #hasTime}.
   */
  public synchronized Optional<Tail> awaitEarly(long untilNanos) throws InterruptedException {
    Optional<Tail> next = pollEarly();
    while (next.isEmpty() && !closed && hasTime()) {
      long leftNanos = untilNanos - nanoClock.getAsLong();
      if (leftNanos <= 0) {
        break;
      }
      TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
      next = pollEarly();
    }
    return next;
  }

  /** Claims a waiting tail of which bytes were replaced, whether it is due or not. */
  public synchronized Optional<Tail> pollRewritten() {
    if (closed) {
      return Optional.empty();
    }
    long now = nanoClock.getAsLong();
    return waiting.rewritten(now).flatMap(entry -> claim(entry, now).tail());
  }

  @GuardedBy("this")
  private Optional<ClaimChoice.Next> next(long now) {
    if (tempo.is(Mode.HURRY)) {
      return choice.byGain(now);
    }
    return isPressed() ? choice.byTurnAndGain(now) : choice.inTurn(now);
  }

  /** Returns whether another tail is due now. */
  public synchronized boolean isAnyDue() {
    return next(nanoClock.getAsLong()).filter(ClaimChoice.Next::isDue).isPresent();
  }

  @GuardedBy("this")
  private Claim claim(ClaimChoice.Next next, long now) {
    choice.claimed(next);
    return claim(next.entry(), now);
  }

  @GuardedBy("this")
  private Claim claim(WaitingTails.Entry next, long now) {
    Tail tail = next.tail();
    choice.claimed(tail);
    waiting.remove(next);
    waiting.endTurn(next.claimant());
    claimed.add(tail, tail.work().unreadBytes());
    return new Claim(Optional.of(tail), earlier(next.dueNanos(), now));
  }

  private static long earlier(long dueNanos, long now) {
    return dueNanos - now < 0 ? dueNanos : now;
  }

  /**
   * Returns whether so much is at risk that nothing waits to be due: half of the bound, of which
   * enough is unread to be worth sealing. The other half is for what is in flight.
   */
  @GuardedBy("this")
  private boolean isPressed() {
    if (policy.mostBytes().isEmpty()) {
      return false;
    }
    long most = policy.mostBytes().getAsLong();
    long unread = ByteSum.of(waiting.unreadBytes(), claimed.bytesAtClaim());
    return unread >= most / 8 && ByteSum.of(unread, stagedBytes.getAsLong()) >= most / 2;
  }

  /** Gives a claimed tail back, and schedules it if it still has work. */
  public synchronized void release(Tail tail) {
    claimed.remove(tail);
    tail.scheduling().served(nanoClock.getAsLong());
    schedule(tail);
    notifyAll();
  }

  /**
   * Waits until every claimed tail is released, and no facts are being sealed.
   *
   * @return false when the deadline passed before that
   */
  public synchronized boolean awaitReleases(Deadline deadline) throws InterruptedException {
    while (isWorking() && !deadline.isPast()) {
      deadline.timedWait(this);
    }
    return !isWorking();
  }

  @GuardedBy("this")
  private boolean isWorking() {
    return !claimed.isEmpty() || facts.isSealing();
  }

  /** Claims this tail, whether it is due or not; false when a worker has it. */
  public synchronized boolean tryClaim(Tail tail) {
    if (claimed.contains(tail)) {
      return false;
    }
    claimed.add(tail, 0);
    waiting.remove(tail);
    return true;
  }

  /** Returns whether a worker has this tail. */
  public synchronized boolean isClaimed(Tail tail) {
    return claimed.contains(tail);
  }

  /** Returns how many bytes have been seen in files and not yet read. */
  public synchronized long unreadBytes() {
    return ByteSum.of(waiting.unreadBytes(), claimed.unreadBytes());
  }

  /** Returns how many bytes were replaced in files after they were read, and wait to be read. */
  public synchronized long rewrittenBytes() {
    long bytes = 0;
    for (Set<Tail> tails : List.of(waiting.tails(), claimed.tails())) {
      for (Tail tail : tails) {
        bytes = ByteSum.of(bytes, tail.work().rewrittenBytes());
      }
    }
    return bytes;
  }

  /** Returns how many unread bytes are in files whose last reading failed. */
  public synchronized long unreadableBytes() {
    return waiting.deferredBytes();
  }

  /**
   * Returns since when something is to be read: unread bytes, or those that were replaced; empty
   * when there is nothing.
   */
  public synchronized OptionalLong oldestWorkNanos() {
    long now = nanoClock.getAsLong();
    long oldest = -1;
    for (Set<Tail> tails : List.of(waiting.tails(), claimed.tails())) {
      for (Tail tail : tails) {
        OptionalLong since = tail.work().sinceNanos();
        if (since.isPresent()) {
          oldest = Math.max(oldest, now - since.getAsLong());
        }
      }
    }
    return oldest < 0 ? OptionalLong.empty() : OptionalLong.of(now - oldest);
  }

  /** Returns how many tails wait or are claimed. */
  public synchronized int count() {
    return waiting.count() + claimed.count();
  }

  /** Returns how many unread bytes fill a segment of this tail. */
  public double fullBytes(Tail tail) {
    return policy.fullBytes(tail);
  }

  /** Makes everybody who waits for a claim check again whether to go on waiting. */
  public synchronized void wake() {
    notifyAll();
  }

  /** Returns whether the agent is in a hurry, as in a drain. */
  public boolean isHurried() {
    return tempo.is(Mode.HURRY);
  }

  /** Returns how old a byte may become before it is durable. */
  public long maxAgeNanos() {
    return policy.maxAgeNanos();
  }

  /**
   * Returns until when a worker may rest while it seals a segment.
   *
   * @param dueNanos when the segment was due; nobody rests later than that in a hurry, or while too
   *     much is at risk
   */
  public synchronized long restsUntilNanos(long dueNanos) {
    return tempo.is(Mode.HURRY) || isPressed() ? dueNanos : dueNanos + policy.restNanos();
  }

  /**
   * Returns how long ago the first waiting tail was due; negative when it is due later, or no tail
   * waits.
   */
  public synchronized long latenessNanos() {
    Optional<WaitingTails.Entry> first = waiting.next();
    return first.isPresent() ? nanoClock.getAsLong() - first.get().dueNanos() : -1;
  }

  /**
   * Returns whether no tail waits, none is claimed or expected, and there are no facts to be said.
   */
  public synchronized boolean isEmpty() {
    return waiting.isEmpty() && claimed.isEmpty() && !expectsTails && facts.isIdle();
  }

  /**
   * Returns whether every waiting tail is deferred after a failure, and none is claimed or
   * expected.
   */
  public synchronized boolean hasOnlyDeferred() {
    return claimed.isEmpty()
        && !expectsTails
        && facts.isIdle()
        && waiting.tails().stream()
            .allMatch(tail -> tail.scheduling().deferredUntilNanos().isPresent());
  }

  private synchronized void tempoChanged() {
    for (Tail tail : List.copyOf(waiting.tails())) {
      tail.scheduling().undefer();
      scheduleAnew(tail);
    }
    notifyAll();
  }

  /** Makes tails due while their bytes are younger, or as usual again. */
  public synchronized void expectNotice(boolean expected) {
    if (policy.expectNotice(expected)) {
      for (Tail tail : List.copyOf(waiting.tails())) {
        scheduleAnew(tail);
      }
      notifyAll();
    }
  }

  /** Returns whether nothing can be claimed any more. */
  public synchronized boolean isClosed() {
    return closed;
  }

  /** Ends claiming; tails that are claimed may still be released. */
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
