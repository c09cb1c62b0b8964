package dev.tailwater.store.files;

/** The end of a thread that must have ended before its files are closed. */
public final class ThreadEnd {
  private ThreadEnd() {}

  /** Waits, also when interrupted; the interrupt status is kept for the caller. */
  public static void await(Thread thread) {
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
