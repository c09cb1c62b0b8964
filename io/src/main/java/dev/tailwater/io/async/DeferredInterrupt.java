package dev.tailwater.io.async;

/**
 * An interrupt that is kept until after a wait that must not end early, because the kernel may
 * still write to a target.
 */
final class DeferredInterrupt {
  private boolean interrupted;

  /** Waits on a monitor that the caller holds, once. */
  @SuppressWarnings("WaitNotInLoop") // its callers loop
  void await(Object monitor) {
    try {
      monitor.wait();
    } catch (InterruptedException e) {
      interrupted = true;
    }
  }

  /** Waits until the thread has ended. */
  void join(Thread thread) {
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  /** Interrupts the thread again, if it was interrupted. */
  void restore() {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
