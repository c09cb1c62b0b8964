package dev.tailwater.delivery.compare;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.tail.Comparisons;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.time.Deadline;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The tails whose files were written to since they were compared, and when each is to be compared.
 * A file that was written to without growing comes first. One that has only grown waits until it is
 * quiet and twice as long as when it was compared last, so that a log is compared about twice in
 * its life. Finding the next one takes no longer when more files wait. Thread-safe.
 *
 * <p>{@link ComparisonLines} knows which tails wait and for what, {@link ComparisonSchedule} when
 * one is due. The queue hands out the next one, and has those wait that cannot be compared now.
 */
public final class ComparisonQueue implements Comparisons {
  /** How often it looks again at what cannot be compared now, where somebody waits for it. */
  private static final long HURRIED_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long TICK_MILLIS = 100;

  private final Tempo tempo;
  private final LongSupplier nanoClock;
  private volatile Consumer<Tail> whenEnded = _ -> {};

  @GuardedBy("this")
  private final ComparisonLines lines;

  @GuardedBy("this")
  private final ComparisonSchedule schedule;

  /** The tail that was taken last, and may be compared now: one thread takes them. */
  @GuardedBy("this")
  private Optional<Tail> taken = Optional.empty();

  /** When tails that are set aside are put into the lines again. */
  @GuardedBy("this")
  private long asideUntilNanos;

  /** Tails of which a part differed, and which are to be compared again before that is settled. */
  @GuardedBy("this")
  private final Set<Tail> differedInPart = new HashSet<>();

  /** Where in each file that ends which a drain waits for. */
  @GuardedBy("this")
  private final Map<Tail, Long> awaited = new HashMap<>();

  @GuardedBy("this")
  private boolean closed;

  public ComparisonQueue(Tempo tempo, LongSupplier nanoClock) {
    this.tempo = tempo;
    this.nanoClock = nanoClock;
    this.lines = new ComparisonLines(nanoClock);
    this.schedule = new ComparisonSchedule(nanoClock);
    tempo.onChange(Tempo.Mode.HURRY, this::wake);
  }

  @Override
  public boolean compares() {
    return true;
  }

  @Override
  public synchronized void grown(Tail tail) {
    put(tail, ComparisonReason.GROWN);
  }

  @Override
  public synchronized void changed(Tail tail) {
    put(tail, ComparisonReason.CHANGED);
  }

  @Override
  public synchronized void want(Tail tail) {
    put(tail, ComparisonReason.WANTED);
  }

  @Override
  public synchronized void untold(Tail tail) {
    put(tail, ComparisonReason.TIME_UNTOLD);
  }

  @Override
  public synchronized void awaited(Tail tail, long untilBytes) {
    if (tempo.is(Tempo.Mode.HURRY) && !tail.isEnded()) {
      awaited.put(tail, untilBytes);
    }
  }

  @Override
  public boolean isAwaited() {
    return tempo.is(Tempo.Mode.HURRY);
  }

  @Override
  public void ended(Tail tail) {
    synchronized (this) {
      lines.forget(tail);
      schedule.forget(tail);
      awaited.remove(tail);
      differedInPart.remove(tail);
    }
    whenEnded.accept(tail); // Without the lock: it may tell whoever listens to problems.
  }

  /** Has somebody told of each tail that ends. */
  void whenEnded(Consumer<Tail> listener) {
    whenEnded = listener;
  }

  @GuardedBy("this")
  private void put(Tail tail, ComparisonReason reason) {
    if (lines.put(tail, reason)) {
      notifyAll();
    }
  }

  private synchronized void wake() {
    if (!tempo.is(Tempo.Mode.HURRY)) {
      awaited.clear();
    }
    notifyAll();
  }

  /** What is to be done with a tail. */
  enum Task {
    COMPARE,
    /** Only those blocks are to be read whose checksums are lost. */
    LEARN,
    /** Another look may tell that it was an append, and there is nothing to compare yet. */
    LOOK
  }

  /**
   * A tail of which something is to be done now.
   *
   * @param urgent whether somebody waits for it
   */
  record Claim(Tail tail, Task task, boolean urgent) {}

  /** Waits for a tail of which something is to be done; empty when the queue is closed. */
  synchronized Optional<Claim> take() throws InterruptedException {
    taken = Optional.empty();
    while (!closed) {
      putBack();
      Optional<Claim> next = next();
      if (next.isPresent()) {
        taken = next.map(Claim::tail);
        if (next.get().task() != Task.LOOK) {
          lines.forget(next.get().tail()); // Whatever is left to do, the comparison finds out.
        }
        return next;
      }
      if (lines.isEmpty()) {
        wait();
      } else {
        wait(untilNextMillis());
      }
    }
    return Optional.empty();
  }

  /** Returns how long to wait for the next look at a tail: a second look is worth nothing later. */
  @GuardedBy("this")
  private long untilNextMillis() {
    OptionalLong next = lines.nextLookNanos(ComparisonReason.CHANGED);
    if (next.isEmpty()) {
      return TICK_MILLIS;
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(next.getAsLong() - nanoClock.getAsLong());
    return Math.clamp(millis + 1, 1, TICK_MILLIS);
  }

  @GuardedBy("this")
  private Optional<Claim> next() {
    Optional<Tail> next = first(ComparisonReason.WANTED);
    if (tempo.is(Tempo.Mode.HURRY)) {
      next =
          next.or(() -> first(ComparisonReason.CHANGED))
              .or(() -> first(ComparisonReason.AGAIN))
              .or(() -> first(ComparisonReason.GROWN));
      return next.map(tail -> new Claim(tail, Task.COMPARE, true));
    }
    return next.map(tail -> new Claim(tail, Task.COMPARE, true))
        .or(() -> due(ComparisonReason.CHANGED))
        .or(() -> due(ComparisonReason.AGAIN))
        .or(() -> due(ComparisonReason.GROWN))
        .or(() -> due(ComparisonReason.WRITTEN_UNSEEN))
        .or(() -> due(ComparisonReason.WRITTEN_BACK))
        .or(() -> due(ComparisonReason.TIME_UNTOLD));
  }

  /** Returns the tail that has waited longest for this reason, due or not. */
  @GuardedBy("this")
  private Optional<Tail> first(ComparisonReason reason) {
    for (Optional<Tail> next = lines.first(reason); next.isPresent(); next = lines.first(reason)) {
      Tail tail = next.get();
      if (reason == ComparisonReason.GROWN && tail.content().isCompared()) {
        lines.removeCompared(tail); // Nobody waits for checksums that are lost.
      } else if (!setAsideUnlessComparable(tail, reason)) {
        return next;
      }
    }
    lines.clearLooks(reason);
    return Optional.empty();
  }

  /** Returns a tail that is due for this reason. */
  @GuardedBy("this")
  private Optional<Claim> due(ComparisonReason reason) {
    long now = nanoClock.getAsLong();
    for (Optional<ComparisonLines.Look> next = lines.takeLook(reason, now);
        next.isPresent();
        next = lines.takeLook(reason, now)) {
      ComparisonLines.Look look = next.get();
      Tail tail = look.tail();
      if (setAsideUnlessComparable(tail, reason)) {
        continue;
      }
      if (reason == ComparisonReason.CHANGED && !tail.mayBeChanged()) {
        lines.remove(tail);
        put(tail, ComparisonReason.GROWN); // A look had met an append halfway.
        continue;
      }
      if ((reason == ComparisonReason.TIME_UNTOLD && tail.stream().isTimeTold())
          || (reason == ComparisonReason.GROWN && tail.content().isFullyCompared())) {
        lines.removeCompared(tail); // That was done while it was asked for.
        continue;
      }
      boolean nameless = reason.isForBytes() && tail.file().namelessSinceNanos().isPresent();
      if (nameless || schedule.isDue(tail, look.entry(), now)) {
        return Optional.of(new Claim(tail, Task.COMPARE, nameless));
      }
      if (reason == ComparisonReason.GROWN && schedule.isRested(tail, now) && tail.hasUnknown()) {
        return Optional.of(new Claim(tail, Task.LEARN, false));
      }
      lines.lookAgain(look, now + ComparisonSchedule.lookAgainNanos(reason));
      if ((reason == ComparisonReason.CHANGED && look.isFirst()) || tail.mayTellTime(now)) {
        return Optional.of(new Claim(tail, Task.LOOK, false));
      }
    }
    return Optional.empty();
  }

  /**
   * Takes a tail out of its line if it cannot be compared now: of one that is closed, whoever opens
   * it again says that it is to be compared. Where somebody waits for the comparison, that of a
   * part is of no use, unless it is all that a drain waits for.
   */
  @GuardedBy("this")
  private boolean setAsideUnlessComparable(Tail tail, ComparisonReason reason) {
    boolean open = !tail.isEnded() && tail.file().isOpen();
    boolean partly =
        reason != ComparisonReason.WANTED
            && reason != ComparisonReason.AGAIN
            && !tempo.is(Tempo.Mode.HURRY);
    boolean durable = partly || tail.isAllReadDurable() || isAwaitedDurable(tail);
    if (open && tail.isResumed() && durable && !restsInHurry(tail, reason)) {
      return false;
    }
    if (open) {
      lines.setAside(tail, reason);
    } else {
      lines.remove(tail);
    }
    return true;
  }

  /**
   * Returns whether a file that has only grown since it was compared is left alone, since no drain
   * waits for it: a long one that grows all the time would be read all the time.
   */
  @GuardedBy("this")
  private boolean restsInHurry(Tail tail, ComparisonReason reason) {
    return (reason == ComparisonReason.AGAIN || reason == ComparisonReason.GROWN)
        && tempo.is(Tempo.Mode.HURRY)
        && schedule.knows(tail)
        && !awaited.containsKey(tail)
        && !schedule.isRested(tail, nanoClock.getAsLong());
  }

  @GuardedBy("this")
  private boolean isAwaitedDurable(Tail tail) {
    Long untilBytes = awaited.get(tail);
    return untilBytes != null && tail.isComparable(untilBytes);
  }

  /** Puts what could not be compared into the lines again, from time to time. */
  @GuardedBy("this")
  private void putBack() {
    if (!lines.hasAside()) {
      return;
    }
    long now = nanoClock.getAsLong();
    if (asideUntilNanos - now > 0) {
      return;
    }
    boolean isAwaited = tempo.is(Tempo.Mode.HURRY) || lines.hasAside(ComparisonReason.WANTED);
    asideUntilNanos = now + (isAwaited ? HURRIED_LOOK_NANOS : ComparisonSchedule.LOOK_NANOS);
    lines.takeAside().forEach(this::put);
  }

  @Override
  public synchronized boolean needs(Tail tail) {
    return lines.reason(tail).filter(reason -> reason != ComparisonReason.TIME_UNTOLD).isPresent()
        || lines.isAside(tail)
        || taken.equals(Optional.of(tail))
        || schedule.mustRemember(tail);
  }

  /**
   * Notes that a comparison is complete.
   *
   * @param again whether it is to be compared once more when its pages are written back: it had
   *     other bytes, or may be stored to without a sign
   */
  synchronized void done(Tail tail, long tookNanos, long bytes, boolean again) {
    awaited.remove(tail); // If that was not enough, the drain says so again.
    schedule.compared(tail, tookNanos, bytes);
    if (differedInPart.remove(tail) || again) {
      put(tail, ComparisonReason.WRITTEN_BACK);
    }
  }

  /**
   * Has a file compared once more: the comparison that is complete began so soon after a write that
   * a later one may have left the file's time as it was.
   */
  synchronized void mayBeWrittenUnseen(Tail tail) {
    if (lines.waitsFor(tail, ComparisonReason.WRITTEN_BACK)) {
      differedInPart.add(tail); // It comes back after that comparison.
    }
    put(tail, ComparisonReason.WRITTEN_UNSEEN);
  }

  /** Notes that the checksums were learnt that were lost: the file was not compared. */
  synchronized void learnt(Tail tail, long tookNanos) {
    schedule.learnt(tail, tookNanos);
  }

  /** Notes that a comparison failed, or was cut short: it is tried again later. */
  synchronized void again(Tail tail) {
    Optional<ComparisonReason> before = lines.reason(tail);
    if (before.equals(Optional.of(ComparisonReason.WRITTEN_BACK))) {
      lines.remove(tail); // It comes back when the rest is compared, which is due long before.
      differedInPart.add(tail);
    } else if (before.isPresent()) {
      return;
    }
    if (!lines.hasAside()) {
      asideUntilNanos = nanoClock.getAsLong() + ComparisonSchedule.LOOK_NANOS;
    }
    lines.setAside(tail, ComparisonReason.AGAIN);
  }

  /** Waits for so long, or until the queue is closed, a drain begins, or somebody waits for it. */
  synchronized void rest(long nanos) throws InterruptedException {
    Deadline end = Deadline.after(Duration.ofNanos(nanos), nanoClock);
    while (!closed
        && !tempo.is(Tempo.Mode.HURRY)
        && lines.first(ComparisonReason.WANTED).isEmpty()
        && !end.isPast()) {
      end.timedWait(this);
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }

  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
