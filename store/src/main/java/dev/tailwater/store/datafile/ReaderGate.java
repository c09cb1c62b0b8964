package dev.tailwater.store.datafile;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether somebody still uses what was there a moment ago, so that files and memory can be
 * freed under readers who take no lock. Each reader counts itself in one of many counters, of the
 * present generation; whoever frees begins a new generation and waits until the old one has left
 * (as in SRCU: <a href="https://lwn.net/Articles/202847/">Sleepable RCU</a>).
 */
final class ReaderGate {
  private static final int STRIPES = 32;

  /** Counters of different threads do not share a cache line. */
  private static final int SPACING = 32;

  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final String what;
  private final AtomicIntegerArray counters = new AtomicIntegerArray(2 * STRIPES * SPACING);
  private volatile int generation;
  private volatile boolean closed;

  ReaderGate(String what) {
    this.what = what;
  }

  /** Goes in; the result is for {@link #exit}. Throws when the gate is closed. */
  int enter() {
    int counter = tryEnter();
    if (counter < 0) {
      throw closed();
    }
    return counter;
  }

  private IllegalStateException closed() {
    return new IllegalStateException(what + " is closed");
  }

  /** What {@link #enter} would throw; null while it would not. */
  @Nullable IllegalStateException whyClosed() {
    return closed ? closed() : null;
  }

  /** Goes in, or is below 0 when the gate is closed. */
  int tryEnter() {
    int stripe = (int) (Thread.currentThread().threadId() % STRIPES);
    int counter = (generation * STRIPES + stripe) * SPACING;
    counters.getAndIncrement(counter);
    if (closed) {
      counters.getAndDecrement(counter);
      return -1;
    }
    return counter;
  }

  void exit(int counter) {
    counters.getAndDecrement(counter);
  }

  /** Returns when everybody who was in has left. Not for those who are in. */
  synchronized void awaitOthers() {
    // Twice: somebody may have read the generation, and count himself only now.
    for (int round = 0; round < 2; round++) {
      int old = generation;
      generation = 1 - old;
      while (isUsed(old)) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private boolean isUsed(int ofGeneration) {
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      if (counters.get((ofGeneration * STRIPES + stripe) * SPACING) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Lets nobody in any more, and waits until all have left. */
  void close() {
    closed = true;
    awaitOthers();
  }
}
