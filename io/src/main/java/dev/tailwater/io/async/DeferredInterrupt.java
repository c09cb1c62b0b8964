package dev.tailwater.io.async;

/**
 * An interrupt that came while the kernel could still write to a target, so that the wait had to go
 * on: kept for after it.
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

  /** The thread is interrupted again, if it was. */
  void restore() {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
