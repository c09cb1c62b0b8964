package dev.tailwater.lab.change;

/** Waits for a thread that has been told to end, and does so in a moment. */
final class Joining {
  private Joining() {}

  /** Also when the waiting thread is interrupted, which it is afterwards as well. */
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
