package dev.tailwater.delivery.merge;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.posix.ErrnoException;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether a thread has used no more than an eighth of the processor time of the process. If it asks
 * before it begins something, that costs at most a seventh of everything else. Thread-safe.
 */
final class ProcessorShare {
  private static final int PART = 8;
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Neighbour neighbour;
  private final LongSupplier nanoClock;

  @GuardedBy("this")
  private OptionalInt threadId = OptionalInt.empty();

  @GuardedBy("this")
  private boolean modest = true;

  @GuardedBy("this")
  private long lookedAtNanos;

  ProcessorShare(Neighbour neighbour, LongSupplier nanoClock) {
    this.neighbour = neighbour;
    this.nanoClock = nanoClock;
    this.lookedAtNanos = nanoClock.getAsLong();
  }

  /** Makes the calling thread the one that is measured. */
  synchronized void begin() {
    threadId = OptionalInt.of(neighbour.currentThread());
  }

  /** Returns the answer as of some seconds ago; initially true. */
  synchronized boolean isModest() {
    long now = nanoClock.getAsLong();
    if (now - lookedAtNanos >= LOOK_NANOS) {
      lookedAtNanos = now;
      modest = threadId.isEmpty() || look(threadId.getAsInt());
    }
    return modest;
  }

  private boolean look(int thread) {
    try {
      return neighbour.threadCpuNanos(thread) <= neighbour.processCpuNanos() / PART;
    } catch (ErrnoException e) {
      return true; // The thread has ended.
    }
  }
}
