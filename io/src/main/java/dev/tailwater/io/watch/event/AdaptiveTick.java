package dev.tailwater.io.watch.event;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long events are collected before the watch looks at them. After a quiet time the tick is as
 * short as possible, so that a single change is reported at once. Looks, with the work that the
 * caller does on them, shall take at most a hundredth of the time: while they take more, the tick
 * doubles with every look, up to a bound, and all events of one name within a tick cost one look.
 * The tick halves again when there is less to do. It also ends before the kernel's queue is half
 * full. For one thread.
 */
public final class AdaptiveTick {
  private static final int MAX_SHARE = 100;
  private static final long FIRST_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final long LONGEST_LOOK_BACK_NANOS = TimeUnit.HOURS.toNanos(1);

  /** Half of fs.inotify.max_queued_events and fs.fanotify.max_queued_events, unless changed. */
  private static final long MAX_EVENTS = 8_192;

  private static final long LEAST_MAX_EVENTS = 64;

  /** After this time without an overflow, the bound on events doubles again. */
  private static final long FORGET_OVERFLOW_NANOS = TimeUnit.HOURS.toNanos(1);

  private final LongSupplier nanoClock;
  private final long minNanos;
  private final long maxNanos;
  private long tickNanos;
  private long maxEvents = MAX_EVENTS;
  private long overflowedNanos;
  private long beganNanos;
  private long sincePreviousNanos;
  private long endedNanos;
  private boolean looking;

  public AdaptiveTick(LongSupplier nanoClock, long minMillis, long maxMillis) {
    this.nanoClock = nanoClock;
    this.minNanos = TimeUnit.MILLISECONDS.toNanos(minMillis);
    this.maxNanos = TimeUnit.MILLISECONDS.toNanos(maxMillis);
    this.tickNanos = minNanos;
    this.beganNanos = nanoClock.getAsLong();
    this.endedNanos = beganNanos;
  }

  /** Returns how long to wait for more events after the first. */
  public long collectMillis() {
    if (nanoClock.getAsLong() - endedNanos > maxNanos) {
      tickNanos = minNanos;
    }
    return millis();
  }

  /** Returns the current tick, rounded up. */
  public long millis() {
    return TimeUnit.NANOSECONDS.toMillis(tickNanos + TimeUnit.MILLISECONDS.toNanos(1) - 1);
  }

  /** Records that events are read now. */
  public void beginLook() {
    long now = nanoClock.getAsLong();
    sincePreviousNanos = Math.min(now - beganNanos, LONGEST_LOOK_BACK_NANOS);
    beganNanos = now;
    looking = true;
  }

  /** Records that the queue was full before the tick ended. */
  public void overflowed() {
    maxEvents = Math.max(LEAST_MAX_EVENTS, maxEvents / 2);
    overflowedNanos = nanoClock.getAsLong();
  }

  /**
   * Records that the events of a look were handled. Does nothing if no look began.
   *
   * @param events the number of events that the look read
   */
  public void endLook(long events) {
    if (!looking) {
      return;
    }
    looking = false;
    endedNanos = nanoClock.getAsLong();
    if (maxEvents < MAX_EVENTS && endedNanos - overflowedNanos > FORGET_OVERFLOW_NANOS) {
      maxEvents *= 2;
      overflowedNanos = endedNanos;
    }
    long wanted = (endedNanos - beganNanos) * MAX_SHARE;
    if (events > 0) {
      wanted = Math.min(wanted, sincePreviousNanos * maxEvents / events);
    }
    wanted = Math.clamp(wanted, minNanos, maxNanos);
    tickNanos =
        wanted > tickNanos
            ? Math.min(wanted, Math.max(tickNanos * 2, FIRST_STEP_NANOS))
            : Math.max(wanted, tickNanos / 2);
  }
}
