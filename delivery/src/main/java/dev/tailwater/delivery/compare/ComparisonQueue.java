package dev.tailwater.delivery.compare;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.delivery.tail.Comparisons;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.time.Deadline;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The tails whose files were written to since they were compared, and when each is to be compared.
 * A file that was written to without growing comes first. One that has only grown waits until it is
 * quiet and twice as long as when it was compared last, so that a log is compared about twice in
 * its life. Finding the next one takes no longer when more files wait. Thread-safe.
 */
public final class ComparisonQueue implements Comparisons {
  /** An append sets the time before the size, so a look may meet it halfway. */
  private static final long SETTLES_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A file that has grown a little and is quiet is compared after this time at the latest. */
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

  /**
   * The kernel writes a page back that was changed through a mapping after 30 to 35 seconds. Only
   * the first change after that sets the time of the file again.
   */
  static final long WRITTEN_BACK_MILLIS = TimeUnit.SECONDS.toMillis(40);

  /** Longer than the steps in which any file system counts the times of files. */
  private static final long TIME_HAS_PASSED_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

  private static final long WRITTEN_BACK_NANOS = TimeUnit.MILLISECONDS.toNanos(WRITTEN_BACK_MILLIS);

  /** A file that changes all the time is compared again after this many times what that took. */
  private static final long PAUSE_FACTOR = 20;

  /** Of shorter files nobody remembers what comparing them took: it is a single read. */
  private static final long LONG_BYTES = 16L * BlockSums.BLOCK_BYTES;

  /** How often it looks again at what is not due, or cannot be compared now. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** The same for files that grow, of which there may be thousands. */
  private static final long GROWING_LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** How often where somebody waits for it. */
  private static final long HURRIED_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** When a file that was written to without growing is looked at again. */
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final long TICK_MILLIS = 100;

  private final Tempo tempo;
  private final LongSupplier nanoClock;
  private volatile Consumer<Tail> whenEnded = _ -> {};

  @GuardedBy("this")
  private final Map<Tail, Entry> waiting = new HashMap<>();

  @GuardedBy("this")
  private final Map<Why, Line> lines = new EnumMap<>(Why.class);

  /** Tails that cannot be compared now. */
  @GuardedBy("this")
  private final Map<Tail, Why> parked = new LinkedHashMap<>();

  /** The tail that was taken last, and may be compared now: one thread takes them. */
  @GuardedBy("this")
  private Optional<Tail> taken = Optional.empty();

  @GuardedBy("this")
  private long unparkAtNanos;

  /** What comparing cost last, of tails that are not ended. */
  @GuardedBy("this")
  private final Map<Tail, Last> last = new HashMap<>();

  /** Tails of which a part differed, and which are to be compared again before that is settled. */
  @GuardedBy("this")
  private final Set<Tail> differedInPart = new HashSet<>();

  /** Why tails are still to be looked at where what is more important turns out to be done. */
  @GuardedBy("this")
  private final Map<Tail, Why> later = new HashMap<>();

  /** Where in each file that ends which a drain waits for. */
  @GuardedBy("this")
  private final Map<Tail, Long> awaited = new HashMap<>();

  @GuardedBy("this")
  private boolean closed;

  /** Why a tail is to be compared; what comes first is more important. */
  private enum Why {
    WANTED,
    CHANGED,
    /** A comparison failed, or was cut short. */
    AGAIN,
    GROWN,
    /** It may have been written to after a comparison, and have kept its time. */
    WRITTEN_UNSEEN,
    WRITTEN_BACK,
    /** It need not be: the archive is to be told of the file's time, and not at once. */
    TIME_UNTOLD
  }

  private record Entry(Why why, long sinceNanos) {}

  /**
   * When to look whether a tail is due; it counts while the entry is the tail's.
   *
   * @param isFirst whether nobody has looked yet
   */
  private record Look(Tail tail, Entry entry, long atNanos, boolean isFirst) {}

  private record Last(long endNanos, long tookNanos, long bytes) {}

  /** The tails that wait for one reason. */
  private static final class Line {
    final LinkedHashSet<Tail> tails = new LinkedHashSet<>();
    final PriorityQueue<Look> looks =
        new PriorityQueue<>((one, other) -> Long.signum(one.atNanos - other.atNanos));
  }

  public ComparisonQueue(Tempo tempo, LongSupplier nanoClock) {
    this.tempo = tempo;
    this.nanoClock = nanoClock;
    for (Why why : Why.values()) {
      lines.put(why, new Line());
    }
    tempo.onChange(Tempo.Mode.HURRY, this::wake);
  }

  @Override
  public boolean compares() {
    return true;
  }

  @Override
  public synchronized void grown(Tail tail) {
    put(tail, Why.GROWN);
  }

  @Override
  public synchronized void changed(Tail tail) {
    put(tail, Why.CHANGED);
  }

  @Override
  public synchronized void want(Tail tail) {
    put(tail, Why.WANTED);
  }

  @Override
  public synchronized void untold(Tail tail) {
    put(tail, Why.TIME_UNTOLD);
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
      remove(tail);
      awaited.remove(tail);
      last.remove(tail);
      later.remove(tail);
      differedInPart.remove(tail);
    }
    whenEnded.accept(tail); // Without the lock: it may tell whoever listens to problems.
  }

  /** Has somebody told of each tail that ends. */
  void whenEnded(Consumer<Tail> listener) {
    whenEnded = listener;
  }

  /** Adds a tail, unless it waits for a reason that is as important. */
  @GuardedBy("this")
  private void put(Tail tail, Why why) {
    Entry before = waiting.get(tail);
    if (tail.isEnded()) {
      return;
    }
    if (before != null && before.why == why) {
      return;
    }
    if (before != null && before.why.compareTo(why) < 0) {
      keepForLater(tail, why);
      return;
    }
    if (before != null) {
      keepForLater(tail, before.why);
    }
    remove(tail);
    long now = nanoClock.getAsLong();
    Entry entry = new Entry(why, now);
    waiting.put(tail, entry);
    line(why).tails.add(tail);
    long firstAtNanos = why == Why.CHANGED ? now + LOOK_AGAIN_NANOS : now;
    line(why).looks.add(new Look(tail, entry, firstAtNanos, true));
    notifyAll();
  }

  @GuardedBy("this")
  private void keepForLater(Tail tail, Why lessImportant) {
    if (lessImportant.compareTo(Why.GROWN) > 0) {
      later.merge(tail, lessImportant, (one, other) -> one.compareTo(other) < 0 ? one : other);
    }
  }

  /** Removes a tail that is compared by now; it waits for what is less important then. */
  @GuardedBy("this")
  private void removeCompared(Tail tail) {
    remove(tail);
    Why next = later.remove(tail);
    if (next != null) {
      put(tail, next);
    }
  }

  @GuardedBy("this")
  private void remove(Tail tail) {
    parked.remove(tail);
    Entry before = waiting.remove(tail);
    if (before != null) {
      line(before.why).tails.remove(tail);
    }
  }

  @GuardedBy("this")
  private Line line(Why why) {
    return Objects.requireNonNull(lines.get(why));
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
      unpark();
      Optional<Claim> next = next();
      if (next.isPresent()) {
        taken = next.map(Claim::tail);
        if (next.get().task() != Task.LOOK) {
          remove(next.get().tail());
          later.remove(next.get().tail()); // Whatever is left to do, the comparison finds out.
        }
        return next;
      }
      if (waiting.isEmpty() && parked.isEmpty()) {
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
    Look next = line(Why.CHANGED).looks.peek();
    if (next == null) {
      return TICK_MILLIS;
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(next.atNanos - nanoClock.getAsLong());
    return Math.clamp(millis + 1, 1, TICK_MILLIS);
  }

  @GuardedBy("this")
  private Optional<Claim> next() {
    Optional<Tail> next = first(Why.WANTED);
    if (tempo.is(Tempo.Mode.HURRY)) {
      next =
          next.or(() -> first(Why.CHANGED)).or(() -> first(Why.AGAIN)).or(() -> first(Why.GROWN));
      return next.map(tail -> new Claim(tail, Task.COMPARE, true));
    }
    return next.map(tail -> new Claim(tail, Task.COMPARE, true))
        .or(() -> due(Why.CHANGED))
        .or(() -> due(Why.AGAIN))
        .or(() -> due(Why.GROWN))
        .or(() -> due(Why.WRITTEN_UNSEEN))
        .or(() -> due(Why.WRITTEN_BACK))
        .or(() -> due(Why.TIME_UNTOLD));
  }

  /** Returns the tail that has waited longest for this reason, due or not. */
  @GuardedBy("this")
  private Optional<Tail> first(Why why) {
    Line line = line(why);
    while (!line.tails.isEmpty()) {
      Tail tail = line.tails.getFirst();
      if (why == Why.GROWN && tail.content().isCompared()) {
        removeCompared(tail); // Nobody waits for checksums that are lost.
      } else if (!parkUnlessComparable(tail, why)) {
        return Optional.of(tail);
      }
    }
    line.looks.clear();
    return Optional.empty();
  }

  /** Returns a tail that is due for this reason. */
  @SuppressWarnings("ReferenceEquality") // an entry that was made anew has a look of its own
  @GuardedBy("this")
  private Optional<Claim> due(Why why) {
    long now = nanoClock.getAsLong();
    PriorityQueue<Look> looks = line(why).looks;
    for (Look look = looks.peek(); look != null && look.atNanos - now <= 0; look = looks.peek()) {
      looks.remove();
      Tail tail = look.tail;
      if (waiting.get(tail) != look.entry || parkUnlessComparable(tail, why)) {
        continue;
      }
      if (why == Why.CHANGED && !tail.mayBeChanged()) {
        remove(tail);
        put(tail, Why.GROWN); // A look had met an append halfway.
        continue;
      }
      if ((why == Why.TIME_UNTOLD && tail.stream().isTimeTold())
          || (why == Why.GROWN && tail.content().isFullyCompared())) {
        removeCompared(tail); // That was done while it was asked for.
        continue;
      }
      boolean isForBytes =
          why != Why.WRITTEN_UNSEEN && why != Why.WRITTEN_BACK && why != Why.TIME_UNTOLD;
      boolean nameless = isForBytes && tail.file().namelessSinceNanos().isPresent();
      if (nameless || isDue(tail, look.entry, now)) {
        return Optional.of(new Claim(tail, Task.COMPARE, nameless));
      }
      if (why == Why.GROWN && isRested(tail, now) && tail.hasUnknown()) {
        return Optional.of(new Claim(tail, Task.LEARN, false));
      }
      looks.add(new Look(tail, look.entry, now + lookAgainNanos(why), false));
      if ((why == Why.CHANGED && look.isFirst) || tail.mayTellTime(now)) {
        return Optional.of(new Claim(tail, Task.LOOK, false));
      }
    }
    return Optional.empty();
  }

  private static long lookAgainNanos(Why why) {
    return why == Why.GROWN || why == Why.TIME_UNTOLD ? GROWING_LOOK_NANOS : LOOK_NANOS;
  }

  @GuardedBy("this")
  private Last last(Tail tail, long now) {
    return last.getOrDefault(tail, new Last(now - LONGEST_NANOS, 0, 0));
  }

  @GuardedBy("this")
  private boolean isRested(Tail tail, long now) {
    Last before = last(tail, now);
    return now - before.endNanos >= PAUSE_FACTOR * before.tookNanos;
  }

  @GuardedBy("this")
  private boolean isDue(Tail tail, Entry entry, long now) {
    Last before = last(tail, now);
    boolean rested = isRested(tail, now);
    return switch (entry.why) {
      case WANTED -> true;
      case CHANGED, AGAIN -> now - entry.sinceNanos >= SETTLES_NANOS && rested;
      case GROWN ->
          now - tail.lastGrowthNanos() >= QUIET_NANOS
              && rested
              && (tail.positionBytes() >= 2 * before.bytes
                  || now - before.endNanos >= LONGEST_NANOS);
      case WRITTEN_UNSEEN -> now - entry.sinceNanos >= TIME_HAS_PASSED_NANOS && rested;
      case WRITTEN_BACK -> now - entry.sinceNanos >= WRITTEN_BACK_NANOS;
      case TIME_UNTOLD -> false;
    };
  }

  /**
   * Takes a tail out of its line if it cannot be compared now: of one that is closed, whoever opens
   * it again says that it is to be compared. Where somebody waits for the comparison, that of a
   * part is of no use, unless it is all that a drain waits for.
   */
  @GuardedBy("this")
  private boolean parkUnlessComparable(Tail tail, Why why) {
    boolean open = !tail.isEnded() && tail.file().isOpen();
    boolean partly = why != Why.WANTED && why != Why.AGAIN && !tempo.is(Tempo.Mode.HURRY);
    boolean durable = partly || tail.isAllReadDurable() || isAwaitedDurable(tail);
    if (open && tail.isResumed() && durable && !restsInHurry(tail, why)) {
      return false;
    }
    remove(tail);
    if (open) {
      parked.put(tail, why);
    }
    return true;
  }

  /**
   * Returns whether a file that has only grown since it was compared is left alone, since no drain
   * waits for it: a long one that grows all the time would be read all the time.
   */
  @GuardedBy("this")
  private boolean restsInHurry(Tail tail, Why why) {
    return (why == Why.AGAIN || why == Why.GROWN)
        && tempo.is(Tempo.Mode.HURRY)
        && last.containsKey(tail)
        && !awaited.containsKey(tail)
        && !isRested(tail, nanoClock.getAsLong());
  }

  @GuardedBy("this")
  private boolean isAwaitedDurable(Tail tail) {
    Long untilBytes = awaited.get(tail);
    return untilBytes != null && tail.isComparable(untilBytes);
  }

  /** Puts what could not be compared into the lines again, from time to time. */
  @GuardedBy("this")
  private void unpark() {
    if (parked.isEmpty()) {
      return;
    }
    long now = nanoClock.getAsLong();
    if (unparkAtNanos - now > 0) {
      return;
    }
    boolean isAwaited = tempo.is(Tempo.Mode.HURRY) || parked.containsValue(Why.WANTED);
    unparkAtNanos = now + (isAwaited ? HURRIED_LOOK_NANOS : LOOK_NANOS);
    Map<Tail, Why> again = new LinkedHashMap<>(parked);
    parked.clear();
    again.forEach(this::put);
  }

  @Override
  public synchronized boolean needs(Tail tail) {
    return isToBeCompared(tail)
        || parked.containsKey(tail)
        || taken.equals(Optional.of(tail))
        || isRemembered(tail);
  }

  @GuardedBy("this")
  private boolean isToBeCompared(Tail tail) {
    Entry entry = waiting.get(tail);
    return entry != null && entry.why != Why.TIME_UNTOLD;
  }

  /**
   * Returns whether the tail took so long to compare that another comparison must wait. A short one
   * only took long since the machine was busy, and would stay in memory for that.
   */
  @GuardedBy("this")
  private boolean isRemembered(Tail tail) {
    Last before = last.get(tail);
    return before != null
        && tail.positionBytes() >= LONG_BYTES
        && PAUSE_FACTOR * before.tookNanos >= LOOK_NANOS
        && nanoClock.getAsLong() - before.endNanos < LONGEST_NANOS;
  }

  /**
   * Notes that a comparison is complete.
   *
   * @param again whether it is to be compared once more when its pages are written back: it had
   *     other bytes, or may be stored to without a sign
   */
  synchronized void done(Tail tail, long tookNanos, long bytes, boolean again) {
    awaited.remove(tail); // If that was not enough, the drain says so again.
    remember(tail, new Last(nanoClock.getAsLong(), tookNanos, bytes));
    if (differedInPart.remove(tail) || again) {
      put(tail, Why.WRITTEN_BACK);
    }
  }

  /**
   * Has a file compared once more: the comparison that is complete began so soon after a write that
   * a later one may have left the file's time as it was.
   */
  synchronized void mayBeWrittenUnseen(Tail tail) {
    Entry before = waiting.get(tail);
    if ((before != null && before.why == Why.WRITTEN_BACK) || later.get(tail) == Why.WRITTEN_BACK) {
      differedInPart.add(tail); // It comes back after that comparison.
    }
    put(tail, Why.WRITTEN_UNSEEN);
  }

  /** Notes that the checksums were learnt that were lost: the file was not compared. */
  synchronized void learnt(Tail tail, long tookNanos) {
    if (PAUSE_FACTOR * tookNanos >= LOOK_NANOS) { // Many short files need no entry each.
      long now = nanoClock.getAsLong();
      remember(tail, new Last(now, tookNanos, last(tail, now).bytes));
    }
  }

  @GuardedBy("this")
  private void remember(Tail tail, Last comparison) {
    if (!tail.isEnded()) {
      last.put(tail, comparison);
    }
  }

  /** Notes that a comparison failed, or was cut short: it is tried again later. */
  synchronized void again(Tail tail) {
    Entry before = waiting.get(tail);
    if (before != null && before.why == Why.WRITTEN_BACK) {
      remove(tail); // It comes back when the rest is compared, which is due long before.
      differedInPart.add(tail);
    }
    if (!waiting.containsKey(tail)) {
      if (parked.isEmpty()) {
        unparkAtNanos = nanoClock.getAsLong() + LOOK_NANOS;
      }
      parked.put(tail, Why.AGAIN);
    }
  }

  /** Waits for so long, or until the queue is closed, a drain begins, or somebody waits for it. */
  synchronized void rest(long nanos) throws InterruptedException {
    Deadline end = Deadline.after(Duration.ofNanos(nanos), nanoClock);
    while (!closed
        && !tempo.is(Tempo.Mode.HURRY)
        && line(Why.WANTED).tails.isEmpty()
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
