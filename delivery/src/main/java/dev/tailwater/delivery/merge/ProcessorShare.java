package dev.tailwater.delivery.merge;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether a thread has taken no more than an eighth of the processor time of the whole process: so
 * what it does costs a seventh of everything else at most, if it asks before it begins.
 * Thread-safe.
 */
final class ProcessorShare {
  private static final int PART = 8;
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Thread thread;
  private final LongSupplier nanoClock;
  private boolean modest = true;
  private long lookedAtNanos;

  ProcessorShare(Thread thread, LongSupplier nanoClock) {
    this.thread = thread;
    this.nanoClock = nanoClock;
    this.lookedAtNanos = nanoClock.getAsLong();
  }

  /** As of some seconds ago; true in the first ones. */
  synchronized boolean isModest() {
    long now = nanoClock.getAsLong();
    if (now - lookedAtNanos >= LOOK_NANOS) {
      lookedAtNanos = now;
      modest = look();
    }
    return modest;
  }

  private boolean look() {
    // Negative before the thread begins, and where it cannot be told.
    long own = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId());
    long all = ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    return own <= all / PART;
  }
}
