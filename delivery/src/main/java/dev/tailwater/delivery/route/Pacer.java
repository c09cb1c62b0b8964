package dev.tailwater.delivery.route;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.tempo.Tempo.Mode;
import java.time.LocalTime;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Makes senders wait, first come first served, so that a {@link Bandwidth} is kept; nobody waits
 * while a drain with a deadline lifts it. This is a token bucket that may go into debt: a sender
 * that finds it not empty goes at once, however much it sends, and those after it wait until the
 * debt is paid. So a segment larger than the bucket needs no special case, and over any long time
 * the limit holds. The bucket holds what one second gives. Thread-safe.
 */
public final class Pacer implements AutoCloseable {
  /** Nobody waits longer without looking at the time of day again. */
  private static final long MAX_WAIT_MILLIS = 1_000;

  private final Bandwidth bandwidth;
  private final LongSupplier nanoClock;
  private final Supplier<LocalTime> timeOfDay;
  private final Tempo tempo;

  @GuardedBy("this")
  private final ArrayDeque<Object> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private double balanceBytes;

  @GuardedBy("this")
  private boolean limited;

  @GuardedBy("this")
  private long settledNanos;

  @GuardedBy("this")
  private boolean closed;

  public Pacer(
      Bandwidth bandwidth, LongSupplier nanoClock, Supplier<LocalTime> timeOfDay, Tempo tempo) {
    this.bandwidth = bandwidth;
    this.nanoClock = nanoClock;
    this.timeOfDay = timeOfDay;
    this.tempo = tempo;
    this.settledNanos = nanoClock.getAsLong();
    tempo.onChange(Mode.UNLIMITED, this::wake);
  }

  private synchronized void wake() {
    notifyAll();
  }

  /**
   * Waits until this many bytes may be sent.
   *
   * @return false when the pacer was closed meanwhile
   */
  boolean await(long bytes) throws InterruptedException {
    Object self = new Object();
    synchronized (this) {
      waiting.add(self);
      try {
        while (!closed && !tempo.is(Mode.UNLIMITED)) {
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

  /** Returns how long the first sender must wait, at most a second; 0 when it may go. */
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

  /** Returns whether a sender waits now because of the limit. */
  public synchronized boolean isHolding() {
    return limited && !tempo.is(Mode.UNLIMITED) && !waiting.isEmpty();
  }

  /** Lets nobody wait any longer; nothing may be sent any more. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
