package dev.tailwater.io.async;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.ErrnoException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A pool of queues that callers borrow for one batch. Creates more queues while all are lent, up to
 * a limit; then callers wait. Thread-safe.
 */
final class QueuePool {
  private final QueueFactory maker;
  private final int maxQueues;

  @GuardedBy("this")
  private final Deque<ReadQueue> idle = new ArrayDeque<>();

  /** Idle and lent. */
  @GuardedBy("this")
  private int queues;

  QueuePool(QueueFactory maker, int maxQueues) {
    this.maker = maker;
    this.maxQueues = maxQueues;
  }

  /**
   * Returns a queue with nothing in flight, which the caller gives back or {@linkplain #discard
   * discards}.
   *
   * @throws ErrnoException when the first one cannot be made
   */
  synchronized ReadQueue borrow() throws ErrnoException {
    DeferredInterrupt interrupt = new DeferredInterrupt();
    try {
      while (true) {
        ReadQueue free = idle.pollFirst();
        if (free != null) {
          return free;
        }
        if (queues < maxQueues && tryMake()) {
          return idle.removeFirst();
        }
        interrupt.await(this);
      }
    } finally {
      interrupt.restore();
    }
  }

  /** Creates a queue; returns false if the caller must wait for one instead. */
  @GuardedBy("this")
  private boolean tryMake() throws ErrnoException {
    try {
      idle.addFirst(maker.make());
      queues++;
      return true;
    } catch (ErrnoException e) {
      if (queues == 0) {
        throw e;
      }
      return false; // fewer queues are slower, but work
    }
  }

  synchronized void giveBack(ReadQueue queue) {
    idle.addFirst(queue);
    notifyAll();
  }

  /** Closes a queue after a failure; waits for its requests in flight. */
  void discard(ReadQueue queue) throws ErrnoException {
    try {
      queue.close();
    } finally {
      synchronized (this) {
        queues--;
        notifyAll();
      }
    }
  }

  /** Closes all queues; called only while none is lent. */
  synchronized void close(CloseSequence closing) {
    while (!idle.isEmpty()) {
      ReadQueue queue = idle.removeFirst();
      queues--;
      closing.close(queue::close);
    }
  }

  /** Makes a queue. */
  interface QueueFactory {
    ReadQueue make() throws ErrnoException;
  }
}
