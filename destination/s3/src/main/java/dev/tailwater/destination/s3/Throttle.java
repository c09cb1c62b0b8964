package dev.tailwater.destination.s3;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The pace of requests that a server asked to be slowed down: at first none; each request to slow
 * down doubles the gap between two requests, each success shortens it by a tenth. So the pace
 * settles just below what the server takes, for all threads together, while {@code delivery} keeps
 * its own growing pauses for the calls that failed. (Additive increase and multiplicative decrease,
 * Chiu and Jain 1989, on gaps instead of windows.)
 *
 * <p>Thread-safe.
 */
final class Throttle {
  private static final long FIRST_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_GAP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long SHORTEST_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Waits; a test need not. */
  interface Sleeper {
    void sleep(long nanos) throws InterruptedException;
  }

  private final LongSupplier nanoClock;
  private final Sleeper sleeper;

  @GuardedBy("this")
  private long gapNanos;

  @GuardedBy("this")
  private long nextNanos;

  @GuardedBy("this")
  private long slowedDownNanos;

  @GuardedBy("this")
  private boolean slowedDownBefore;

  Throttle(LongSupplier nanoClock, Sleeper sleeper) {
    this.nanoClock = nanoClock;
    this.sleeper = sleeper;
  }

  /** Waits for the turn of a request; the moment when it begins, for {@link #slowDown}. */
  long awaitTurn() throws InterruptedException {
    long now = nanoClock.getAsLong();
    long turn;
    synchronized (this) {
      if (gapNanos == 0) {
        return now;
      }
      turn = nextNanos - now > 0 ? nextNanos : now;
      nextNanos = turn + gapNanos;
    }
    if (turn - now > 0) {
      sleeper.sleep(turn - now);
    }
    return turn;
  }

  /** The server did what it was asked. */
  synchronized void succeeded() {
    gapNanos -= gapNanos / 10;
    if (gapNanos < SHORTEST_GAP_NANOS) {
      gapNanos = 0;
    }
  }

  /**
   * The server asked to slow down.
   *
   * @param beganNanos of the request. Those that began before the pace was last slowed down say
   *     nothing new
   */
  synchronized void slowDown(long beganNanos) {
    if (slowedDownBefore && beganNanos - slowedDownNanos < 0) {
      return;
    }
    long now = nanoClock.getAsLong();
    gapNanos = Math.clamp(gapNanos * 2, FIRST_GAP_NANOS, LONGEST_GAP_NANOS);
    nextNanos = now + gapNanos;
    slowedDownNanos = now;
    slowedDownBefore = true;
  }

  synchronized long gapNanos() {
    return gapNanos;
  }
}
