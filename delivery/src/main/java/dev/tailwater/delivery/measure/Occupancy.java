package dev.tailwater.delivery.measure;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.LongSupplier;

/** How many are at something, now and over time. Thread-safe. */
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

  /** One more is at it. */
  public synchronized void enter() {
    settle();
    present++;
  }

  /** One less is. */
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

  /** How many are at it now. */
  public synchronized int present() {
    return present;
  }

  /** Nanoseconds that all together have been at it until now, those under way included. */
  public synchronized long sumNanos() {
    settle();
    return sumNanos;
  }
}
