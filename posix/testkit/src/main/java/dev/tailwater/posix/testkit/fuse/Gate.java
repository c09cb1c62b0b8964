package dev.tailwater.posix.testkit.fuse;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** Lets requests through, or holds them until it is opened again. Thread-safe. */
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

  /** Returns when it is open; at once, and interrupted still, when the thread is interrupted. */
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
