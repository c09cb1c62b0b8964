package dev.tailwater.store.datafile.read;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A gate that tracks readers, so that files and memory can be freed although readers take no lock.
 * Each reader counts itself in one of many counters of the current generation; a thread that frees
 * something starts a new generation and waits until the old one has left (as in SRCU: <a
 * href="https://lwn.net/Articles/202847/">Sleepable RCU</a>). Short reads take a seat instead: one
 * reader has a seat at a time, which costs one atomic operation instead of two, and has what
 * belongs to the seat to itself.
 */
public final class ReaderGate {
  private static final int STRIPES = 32;

  /** Number of seats: a power of two, and so is its root. */
  static final int SEATS = 64;

  private static final int SEAT_ROOT = 8;

  /** Counters of different threads do not share a cache line. */
  private static final int SPACING = 32;

  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final String what;
  private final AtomicIntegerArray counters = new AtomicIntegerArray(2 * STRIPES * SPACING);

  /** 0: free; else a generation and 1. */
  private final AtomicIntegerArray seats = new AtomicIntegerArray(SEATS * SPACING);

  private volatile int generation;
  private volatile boolean closed;

  public ReaderGate(String what) {
    this.what = what;
  }

  /** Enters; the result is for {@link #exit}. Throws when the gate is closed. */
  public int enter() {
    int counter = tryEnter();
    if (counter < 0) {
      throw closed();
    }
    return counter;
  }

  /**
   * Enters and takes a seat, to {@link #leaveSeat} soon. Returns a negative number, without
   * entering, when the seat is taken. Throws when the gate is closed.
   */
  int takeSeat() {
    int seat = seatOf(Thread.currentThread().threadId());
    if (!seats.compareAndSet(seat * SPACING, 0, 1 + generation)) {
      return -1;
    }
    if (closed) {
      leaveSeat(seat);
      throw closed();
    }
    return seat;
  }

  /** Threads with neighbouring ids get distant seats, and so distant buffers. */
  private static int seatOf(long threadId) {
    int number = (int) threadId & (SEATS - 1);
    return number % SEAT_ROOT * SEAT_ROOT + number / SEAT_ROOT;
  }

  void leaveSeat(int seat) {
    seats.setRelease(seat * SPACING, 0);
  }

  private IllegalStateException closed() {
    return new IllegalStateException(what + " is closed");
  }

  /** Returns what {@link #enter} would throw; null while the gate is open. */
  @Nullable IllegalStateException whyClosed() {
    return closed ? closed() : null;
  }

  /** Enters; returns a negative number when the gate is closed. */
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

  public void exit(int counter) {
    counters.getAndDecrement(counter);
  }

  /** Waits until every reader that was in has left. Must not be called by a reader. */
  public synchronized void awaitOthers() {
    // Twice: a reader may have read the generation and count itself only now.
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
    for (int seat = 0; seat < SEATS; seat++) {
      if (seats.get(seat * SPACING) == 1 + ofGeneration) {
        return true;
      }
    }
    return false;
  }

  /** Lets no more readers in, and waits until all have left. */
  public void close() {
    closed = true;
    awaitOthers();
  }
}
