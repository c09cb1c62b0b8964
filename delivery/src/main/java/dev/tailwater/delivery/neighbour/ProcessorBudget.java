package dev.tailwater.delivery.neighbour;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A budget of processor time for all threads of the process, whatever they do. It is a token bucket
 * that may go into debt by a block of work. It holds what half a second gives, so that over any
 * second the process uses at most one and a half times the limit, and over any long time the limit.
 * Thread-safe.
 */
final class ProcessorBudget {
  private static final double BUCKET_SECONDS = 0.5;

  private final double limit;
  private final LongSupplier processCpuNanos;
  private final LongSupplier nanoClock;

  @GuardedBy("this")
  private double balanceNanos;

  @GuardedBy("this")
  private long settledNanos;

  @GuardedBy("this")
  private long takenNanos;

  /**
   * Creates a budget.
   *
   * @param limit in processors
   * @param processCpuNanos returns what the process has used so far
   */
  ProcessorBudget(double limit, LongSupplier processCpuNanos, LongSupplier nanoClock) {
    this.limit = limit;
    this.processCpuNanos = processCpuNanos;
    this.nanoClock = nanoClock;
    this.settledNanos = nanoClock.getAsLong();
    this.takenNanos = processCpuNanos.getAsLong();
  }

  /** Returns how long to wait until more may be used; 0: go on. */
  synchronized long waitNanos() {
    long now = nanoClock.getAsLong();
    long taken = processCpuNanos.getAsLong();
    double incomeNanos = limit * (now - settledNanos);
    balanceNanos =
        Math.min(
            balanceNanos + incomeNanos - (taken - takenNanos),
            limit * BUCKET_SECONDS * TimeUnit.SECONDS.toNanos(1));
    settledNanos = now;
    takenNanos = taken;
    return balanceNanos >= 0 ? 0 : (long) Math.ceil(-balanceNanos / limit);
  }

  /** Forgives what was used without regard for the limit. */
  synchronized void forgive() {
    settledNanos = nanoClock.getAsLong();
    takenNanos = processCpuNanos.getAsLong();
    balanceNanos = 0;
  }
}
