package dev.tailwater.delivery.measure;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/**
 * The throughput of a destination while bytes are sent to it: what has arrived, divided by the time
 * in which something was under way. What is longer ago counts less. Thread-safe.
 */
public final class UplinkMeter {
  /** After this much time under way, what was before counts about a third of what it did. */
  private static final double MEMORY_SECONDS = 1.5;

  private final LongSupplier nanoClock;

  @GuardedBy("this")
  private int underWay;

  @GuardedBy("this")
  private long settledNanos;

  @GuardedBy("this")
  private double bytes;

  @GuardedBy("this")
  private double seconds;

  public UplinkMeter(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.settledNanos = nanoClock.getAsLong();
  }

  /** Notes that a transfer begins. */
  public synchronized void begin() {
    settle();
    underWay++;
  }

  /**
   * Notes that a transfer has ended.
   *
   * @param arrivedBytes 0 when it failed
   */
  public synchronized void end(long arrivedBytes) {
    settle();
    underWay--;
    bytes += arrivedBytes;
  }

  @GuardedBy("this")
  private void settle() {
    long now = nanoClock.getAsLong();
    if (underWay > 0) {
      double kept = Math.exp(-(now - settledNanos) / 1e9 / MEMORY_SECONDS);
      bytes *= kept;
      seconds = seconds * kept + MEMORY_SECONDS * (1 - kept);
    }
    settledNanos = now;
  }

  /** Returns the throughput; empty before anything has arrived. */
  public synchronized OptionalDouble bytesPerSecond() {
    settle();
    return bytes < 1 || seconds <= 0 ? OptionalDouble.empty() : OptionalDouble.of(bytes / seconds);
  }
}
