package dev.tailwater.destination.cloud;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The gap between requests to a server that asks its clients to slow down. The gap is 0 at first;
 * each such answer doubles it, and each success shortens it by a tenth. So the rate of all threads
 * together settles just below what the server accepts. Delivery adds its own growing pauses for
 * failed calls. (Additive increase and multiplicative decrease, Chiu and Jain 1989, on gaps instead
 * of windows.)
 *
 * <p>Thread-safe.
 */
final class Throttle {
  private static final long FIRST_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_GAP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long SHORTEST_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** A sleep function, which tests replace. */
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

  /** Creates a throttle with the clock of the machine. */
  static Throttle create() {
    return new Throttle(System::nanoTime, TimeUnit.NANOSECONDS::sleep);
  }

  Throttle(LongSupplier nanoClock, Sleeper sleeper) {
    this.nanoClock = nanoClock;
    this.sleeper = sleeper;
  }

  /**
   * Waits for the turn of a request; returns the time at which it begins, for {@link #slowDown}.
   */
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

  /** Records a success. */
  synchronized void succeeded() {
    gapNanos -= gapNanos / 10;
    if (gapNanos < SHORTEST_GAP_NANOS) {
      gapNanos = 0;
    }
  }

  /**
   * Records that the server asked to slow down.
   *
   * @param beganNanos the start of the request; requests that began before the last slow-down are
   *     ignored
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
