package dev.tailwater.delivery.neighbour;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.tempo.Tempo;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Decides when working threads rest, and for how long. There are two reasons to rest.
 *
 * <p>The processor limit is the user's: it holds even when bytes get older than they should.
 * Pressure is a guess at what other programs need: a worker then rests three times as long as it
 * works, but never longer than its segment may take. Nobody rests while the tempo forbids it.
 * Thread-safe.
 */
public final class Yielding {
  /** How many times as long as it works a worker rests: a quarter of the time is left to work. */
  private static final int RESTS_FOR_WORK = 3;

  /** Nobody rests longer without looking again. */
  private static final long MAX_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Optional<ProcessorBudget> budget;
  private final Optional<PressureGauge> gauge;
  private final Optional<PressureLimits> limits;
  private final LongSupplier nanoClock;
  private final Tempo tempo;

  @GuardedBy("this")
  private boolean suspended;

  @GuardedBy("this")
  private boolean closed;

  @GuardedBy("this")
  private long restedNanos;

  @GuardedBy("this")
  private boolean overBudget;

  Yielding(
      Optional<ProcessorBudget> budget,
      Optional<PressureGauge> gauge,
      Optional<PressureLimits> limits,
      LongSupplier nanoClock,
      Tempo tempo) {
    this.budget = budget;
    this.gauge = gauge.filter(g -> !g.isBlind());
    this.limits = limits;
    this.nanoClock = nanoClock;
    this.tempo = tempo;
    tempo.onChange(Tempo.Mode.NO_RESTS, this::tempoChanged);
  }

  /**
   * Rests after a piece of work, as long as politeness asks for.
   *
   * @param workedNanos how long the piece took
   * @param untilNanos the time of the nano clock after which it does not rest for others
   * @return how long it rested for others, without the time that the processor limit asked for
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

  /** Returns how much longer a thread rests that rests for others until then; 0: no longer. */
  synchronized long waitNanos(long endNanos) {
    if (closed || suspended) {
      overBudget = false;
      return 0;
    }
    long limitNanos = budget.map(ProcessorBudget::waitNanos).orElse(0L);
    overBudget = limitNanos > 0;
    return Math.max(limitNanos, Math.max(0, endNanos - nanoClock.getAsLong()));
  }

  /** Returns whether other programs wait for a resource. */
  public boolean isPressed() {
    return !pressing().isEmpty();
  }

  /** Returns the resources that other programs wait for. */
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

  /** Returns for which part of the last second others waited, by resource. */
  Map<Resource, Double> shares() {
    return gauge.map(PressureGauge::shares).orElse(Map.of());
  }

  /** Returns whether a thread rests because of the processor limit. */
  synchronized boolean isOverBudget() {
    return overBudget;
  }

  /** Returns how long all threads together have rested. */
  synchronized long restedNanos() {
    return restedNanos;
  }

  private synchronized void tempoChanged() {
    boolean before = suspended;
    suspended = tempo.is(Tempo.Mode.NO_RESTS);
    if (before && !suspended) {
      budget.ifPresent(ProcessorBudget::forgive);
    }
    notifyAll();
  }

  /** Ends all rests; nobody rests any more. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
