package dev.tailwater.lab.change;

/** A method that waits for a thread that is about to end. */
final class Joining {
  private Joining() {}

  /** Waits even if the waiting thread is interrupted; keeps its interrupt status. */
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
