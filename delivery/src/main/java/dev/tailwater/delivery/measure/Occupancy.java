package dev.tailwater.delivery.measure;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.LongSupplier;

/** How many threads do something, now and over time. Thread-safe. */
public final class Occupancy {
  private final LongSupplier nanoClock;

  @GuardedBy("this")
  private int present;

  @GuardedBy("this")
  private long settledNanos;

  @GuardedBy("this")
  private long sumNanos;

  public Occupancy(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.settledNanos = nanoClock.getAsLong();
  }

  /** Notes that one more thread does it. */
  public synchronized void enter() {
    settle();
    present++;
  }

  /** Notes that one thread less does it. */
  public synchronized void leave() {
    settle();
    present--;
  }

  @GuardedBy("this")
  private void settle() {
    long now = nanoClock.getAsLong();
    sumNanos += present * (now - settledNanos);
    settledNanos = now;
  }

  /** Returns how many threads do it now. */
  public synchronized int present() {
    return present;
  }

  /** Returns for how many nanoseconds all threads together have done it until now. */
  public synchronized long sumNanos() {
    settle();
    return sumNanos;
  }
}
