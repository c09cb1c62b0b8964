package dev.tailwater.delivery.route;

import java.time.LocalTime;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Makes those who want to send bytes wait, first come first served, so that a {@link Bandwidth} is
 * kept. A token bucket that goes into debt: whoever finds it not empty goes at once, however much
 * it takes, and those who come after wait until the debt is paid. So a segment larger than the
 * bucket needs no special case, and over any long time the limit holds. The bucket holds what one
 * second gives. Thread-safe.
 */
public final class Pacer implements AutoCloseable {
  /** Nobody waits longer without looking at the time of day again. */
  private static final long MAX_WAIT_MILLIS = 1_000;

  private final Bandwidth bandwidth;
  private final LongSupplier nanoClock;
  private final Supplier<LocalTime> timeOfDay;
  private final ArrayDeque<Object> waiting = new ArrayDeque<>();
  private double balanceBytes;
  private boolean limited;
  private long settledNanos;
  private int hurries;
  private boolean closed;

  public Pacer(Bandwidth bandwidth, LongSupplier nanoClock, Supplier<LocalTime> timeOfDay) {
    this.bandwidth = bandwidth;
    this.nanoClock = nanoClock;
    this.timeOfDay = timeOfDay;
    this.settledNanos = nanoClock.getAsLong();
  }

  /**
   * Waits until so many bytes may go.
   *
   * @return false when the pacer was closed meanwhile
   */
  boolean await(long bytes) throws InterruptedException {
    Object self = new Object();
    synchronized (this) {
      waiting.add(self);
      try {
        while (!closed && hurries == 0) {
          boolean first = Objects.equals(waiting.peekFirst(), self);
          long waitMillis = first ? waitMillis() : MAX_WAIT_MILLIS;
          if (first && waitMillis == 0) {
            balanceBytes -= limited ? bytes : 0;
            break;
          }
          wait(waitMillis);
        }
        return !closed;
      } finally {
        waiting.remove(self);
        notifyAll();
      }
    }
  }

  /** How long the first in the row still waits, but for a second at most; 0 when it may go. */
  synchronized long waitMillis() {
    OptionalLong limit = bandwidth.bytesPerSecondAt(timeOfDay.get());
    long now = nanoClock.getAsLong();
    double seconds = (now - settledNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    settledNanos = now;
    limited = limit.isPresent();
    if (limit.isEmpty()) {
      balanceBytes = 0;
      return 0;
    }
    double rate = limit.getAsLong();
    balanceBytes = Math.min(balanceBytes + rate * seconds, rate);
    if (rate == 0) {
      return MAX_WAIT_MILLIS;
    }
    return Math.clamp((long) Math.ceil(-balanceBytes / rate * 1_000), 0, MAX_WAIT_MILLIS);
  }

  /** Whether somebody waits now, because of the limit. */
  public synchronized boolean isHolding() {
    return limited && hurries == 0 && !waiting.isEmpty();
  }

  /** From now on nobody waits; or, when all who asked for that are done, everybody again. */
  public synchronized void hurry(boolean hurry) {
    hurries += hurry ? 1 : -1;
    notifyAll();
  }

  /** Nobody waits any longer, and nothing goes any more. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
