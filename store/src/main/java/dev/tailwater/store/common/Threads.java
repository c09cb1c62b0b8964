package dev.tailwater.store.common;

/** Waiting for threads that must have ended before their files are closed. */
public final class Threads {
  private Threads() {}

  /** Waits until the thread has ended, even when interrupted; keeps the interrupt status. */
  public static void joinUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
