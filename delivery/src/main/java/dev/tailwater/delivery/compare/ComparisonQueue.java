package dev.tailwater.delivery.compare;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.tail.Comparisons;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tempo.Tempo;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The tails whose files were written to since they were compared, and when each is to be compared.
 * A file that was written to without growing comes first. One that has only grown waits until it is
 * quiet and twice as long as when it was compared last, so that a log is compared about twice in
 * its life. Thread-safe.
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
  private static final long WRITTEN_BACK_NANOS = TimeUnit.SECONDS.toNanos(40);

  /** A file that changes all the time is compared again after this many times what that took. */
  private static final long PAUSE_FACTOR = 20;

  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long LOOK_MILLIS = 100;

  private final Tempo tempo;
  private final LongSupplier nanoClock;

  @GuardedBy("this")
  private final Map<Tail, Entry> waiting = new LinkedHashMap<>();

  /** What comparing cost last, of the tails that are not ended. */
  @GuardedBy("this")
  private final Map<Tail, Last> last = new HashMap<>();

  @GuardedBy("this")
  private boolean closed;

  private enum Why {
    WANTED,
    CHANGED,
    GROWN,
    WRITTEN_BACK
  }

  private record Entry(Why why, long sinceNanos) {}

  private record Last(long endNanos, long tookNanos, long bytes) {}

  public ComparisonQueue(Tempo tempo, LongSupplier nanoClock) {
    this.tempo = tempo;
    this.nanoClock = nanoClock;
    tempo.onChange(Tempo.Mode.HURRY, this::wake);
  }

  @Override
  public boolean compares() {
    return true;
  }

  @Override
  public synchronized void grown(Tail tail) {
    Entry before = waiting.get(tail);
    if (before == null || before.why == Why.WRITTEN_BACK) {
      put(tail, Why.GROWN);
    }
  }

  @Override
  public synchronized void changed(Tail tail) {
    Entry before = waiting.get(tail);
    if (before == null || before.why == Why.GROWN || before.why == Why.WRITTEN_BACK) {
      put(tail, Why.CHANGED);
    }
  }

  /** Has the tail compared as soon as possible, because somebody waits for the answer. */
  public synchronized void want(Tail tail) {
    if (!tail.isEnded()) {
      put(tail, Why.WANTED);
    }
  }

  @GuardedBy("this")
  private void put(Tail tail, Why why) {
    waiting.put(tail, new Entry(why, nanoClock.getAsLong()));
    notifyAll();
  }

  private synchronized void wake() {
    notifyAll();
  }

  /**
   * A tail to be compared now.
   *
   * @param urgent whether somebody waits for it
   */
  record Claim(Tail tail, boolean urgent) {}

  /** Waits for a tail that is to be compared; empty when the queue is closed. */
  synchronized Optional<Claim> take() throws InterruptedException {
    while (!closed) {
      Optional<Claim> next = next();
      if (next.isPresent()) {
        waiting.remove(next.get().tail());
        return next;
      }
      if (waiting.isEmpty()) {
        wait();
      } else {
        wait(LOOK_MILLIS);
      }
    }
    return Optional.empty();
  }

  @GuardedBy("this")
  private Optional<Claim> next() {
    long now = nanoClock.getAsLong();
    boolean hurry = tempo.is(Tempo.Mode.HURRY);
    waiting.keySet().removeIf(Tail::isEnded);
    Optional<Map.Entry<Tail, Entry>> best = Optional.empty();
    for (Map.Entry<Tail, Entry> one : waiting.entrySet()) {
      if (isDue(one.getKey(), one.getValue(), hurry, now)
          && (best.isEmpty() || one.getValue().why.compareTo(best.get().getValue().why) < 0)) {
        best = Optional.of(one);
      }
    }
    return best.map(
        one ->
            new Claim(
                one.getKey(),
                hurry
                    || one.getValue().why == Why.WANTED
                    || one.getKey().file().namelessSinceNanos().isPresent()));
  }

  @GuardedBy("this")
  private boolean isDue(Tail tail, Entry entry, boolean hurry, long now) {
    if (!tail.isResumed() || !tail.file().isOpen()) {
      return false;
    }
    boolean nameless = tail.file().namelessSinceNanos().isPresent();
    Last before = last.getOrDefault(tail, new Last(now - LONGEST_NANOS, 0, 0));
    boolean rested = now - before.endNanos >= PAUSE_FACTOR * before.tookNanos;
    return switch (entry.why) {
      case WANTED -> true;
      case CHANGED -> hurry || nameless || (now - entry.sinceNanos >= SETTLES_NANOS && rested);
      case GROWN ->
          hurry
              || nameless
              || (now - tail.lastGrowthNanos() >= QUIET_NANOS
                  && rested
                  && (tail.positionBytes() >= 2 * before.bytes
                      || now - before.endNanos >= LONGEST_NANOS));
      case WRITTEN_BACK -> !hurry && now - entry.sinceNanos >= WRITTEN_BACK_NANOS;
    };
  }

  /**
   * Notes that a comparison is complete.
   *
   * @param differed whether the file had other bytes
   */
  synchronized void done(Tail tail, long tookNanos, long bytes, boolean differed) {
    last.keySet().removeIf(Tail::isEnded);
    last.put(tail, new Last(nanoClock.getAsLong(), tookNanos, bytes));
    if (differed && !waiting.containsKey(tail)) {
      waiting.put(tail, new Entry(Why.WRITTEN_BACK, nanoClock.getAsLong()));
    }
  }

  /** Notes that a comparison failed, or was cut short: it is tried again later. */
  synchronized void again(Tail tail) {
    if (!waiting.containsKey(tail)) {
      waiting.put(
          tail, new Entry(Why.CHANGED, nanoClock.getAsLong() + RETRY_NANOS - SETTLES_NANOS));
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
