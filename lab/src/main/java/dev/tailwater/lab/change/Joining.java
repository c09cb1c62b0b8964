package dev.tailwater.lab.change;

/** Waits for a thread that was told to end and does so soon. */
final class Joining {
  private Joining() {}

  /** Waits even if the waiting thread is interrupted; it stays interrupted. */
  static void join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
