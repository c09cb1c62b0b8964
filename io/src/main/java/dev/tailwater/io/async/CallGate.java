package dev.tailwater.io.async;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * A gate that admits calls until it is closed, and then waits until all calls have left.
 * Thread-safe.
 */
final class CallGate {
  @GuardedBy("this")
  private int inside;

  @GuardedBy("this")
  private boolean closed;

  /**
   * Enters.
   *
   * @throws IllegalStateException when it is closed
   */
  synchronized void enter() {
    if (closed) {
      throw new IllegalStateException("the random reads are closed");
    }
    inside++;
  }

  synchronized void leave() {
    inside--;
    if (inside == 0) {
      notifyAll();
    }
  }

  /** Closes the gate and waits for all calls; returns false if it was closed before. */
  synchronized boolean close() {
    boolean first = !closed;
    closed = true;
    DeferredInterrupt interrupt = new DeferredInterrupt();
    while (inside > 0) {
      interrupt.await(this);
    }
    interrupt.restore();
    return first;
  }
}
