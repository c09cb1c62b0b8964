package dev.tailwater.lab.file;

import java.io.IOException;

/**
 * Unmounts also when somebody wants this thread to end: the programs that unmount could not be
 * waited for otherwise, and the mount would stay.
 */
final class Uninterrupted {
  private Uninterrupted() {}

  /** What has to be done to the end. */
  interface Task {
    void run() throws IOException;
  }

  /** Does it, and leaves the thread interrupted if it was. */
  static void run(Task task) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      task.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
