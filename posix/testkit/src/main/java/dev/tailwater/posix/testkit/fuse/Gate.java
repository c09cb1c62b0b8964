package dev.tailwater.posix.testkit.fuse;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** A gate that lets requests through, or holds them until it is opened again. Thread-safe. */
final class Gate {
  @GuardedBy("this")
  private boolean shut;

  synchronized void shut() {
    shut = true;
  }

  synchronized void open() {
    shut = false;
    notifyAll();
  }

  /**
   * Waits until the gate is open. Returns early, with the interrupt status set, if the thread is
   * interrupted.
   */
  synchronized void pass() {
    try {
      while (shut) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
