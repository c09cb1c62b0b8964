package dev.tailwater.delivery.neighbour;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When those who work rest, and for how long. There are two reasons.
 *
 * <p>The processor limit is the user's: it holds even when bytes get older than they should.
 * Pressure is a guess at what others need: a worker then rests three times as long as it works, but
 * never beyond the time that its segment has. In a hurry nobody rests. Thread-safe.
 */
public final class Yielding {
  /** A quarter of the time is left to work. */
  private static final int RESTS_FOR_WORK = 3;

  /** Nobody rests longer without looking again. */
  private static final long MAX_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Optional<ProcessorBudget> budget;
  private final Optional<PressureGauge> gauge;
  private final Optional<PressureLimits> limits;
  private final LongSupplier nanoClock;
  private int suspensions;
  private boolean closed;
  private long restedNanos;
  private boolean overBudget;

  Yielding(
      Optional<ProcessorBudget> budget,
      Optional<PressureGauge> gauge,
      Optional<PressureLimits> limits,
      LongSupplier nanoClock) {
    this.budget = budget;
    this.gauge = gauge.filter(g -> !g.isBlind());
    this.limits = limits;
    this.nanoClock = nanoClock;
  }

  /**
   * Waits, after a piece of work, as long as politeness asks for.
   *
   * @param workedNanos how long the piece took
   * @param untilNanos by the nano clock: later than that, nobody rests for others
   * @return how long it waited for others, without what the limit took
   */
  public long rest(long workedNanos, long untilNanos) throws InterruptedException {
    if (budget.isEmpty() && gauge.isEmpty()) {
      return 0;
    }
    long beganNanos = nanoClock.getAsLong();
    long restNanos = isPressed() ? RESTS_FOR_WORK * workedNanos : 0;
    long endNanos = Math.min(beganNanos + restNanos, untilNanos);
    synchronized (this) {
      long waitNanos = waitNanos(endNanos);
      while (waitNanos > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, Math.min(waitNanos, MAX_REST_NANOS));
        waitNanos = waitNanos(endNanos);
      }
      long tookNanos = nanoClock.getAsLong() - beganNanos;
      restedNanos += tookNanos;
      return Math.clamp(tookNanos, 0, Math.max(0, endNanos - beganNanos));
    }
  }

  /** How long somebody still rests who has rested for others by then; 0: no longer. */
  synchronized long waitNanos(long endNanos) {
    if (closed || suspensions > 0) {
      overBudget = false;
      return 0;
    }
    long limitNanos = budget.map(ProcessorBudget::waitNanos).orElse(0L);
    overBudget = limitNanos > 0;
    return Math.max(limitNanos, Math.max(0, endNanos - nanoClock.getAsLong()));
  }

  /** Whether others wait. */
  public boolean isPressed() {
    return !pressing().isEmpty();
  }

  /** For what others wait. */
  Set<Resource> pressing() {
    Set<Resource> pressing = EnumSet.noneOf(Resource.class);
    if (gauge.isPresent() && limits.isPresent()) {
      for (Map.Entry<Resource, Double> share : gauge.get().shares().entrySet()) {
        if (share.getValue() >= limits.get().of(share.getKey())) {
          pressing.add(share.getKey());
        }
      }
    }
    return pressing;
  }

  /** For which part of the last second others waited, by resource. */
  Map<Resource, Double> shares() {
    return gauge.map(PressureGauge::shares).orElse(Map.of());
  }

  /** Whether somebody rests for the processor limit. */
  synchronized boolean isOverBudget() {
    return overBudget;
  }

  /** How long all have rested together. */
  synchronized long restedNanos() {
    return restedNanos;
  }

  /** From now on nobody rests; or, when all who asked for that are done, everybody again. */
  synchronized void suspend(boolean suspend) {
    suspensions += suspend ? 1 : -1;
    if (suspensions == 0) {
      budget.ifPresent(ProcessorBudget::forgive);
    }
    notifyAll();
  }

  /** Nobody rests any more. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
