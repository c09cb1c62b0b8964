package dev.tailwater.lab.write;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Mounting and unmounting that continue even if this thread is interrupted. Otherwise nothing could
 * wait for the programs that mount and unmount, and the mount would stay. So a separate thread,
 * which nobody interrupts, does it.
 */
final class Uninterrupted {
  private Uninterrupted() {}

  /** An operation that must not be interrupted. */
  interface Task {
    void run() throws IOException;
  }

  /** An operation with a result that must not be interrupted. */
  interface Call<T> {
    T call() throws IOException;
  }

  /** Runs the operation, and leaves the thread interrupted if it was. */
  static void run(Task task) throws IOException {
    var _ =
        call(
            () -> {
              task.run();
              return true;
            });
  }

  /** Runs the operation, and leaves the thread interrupted if it was. */
  static <T> T call(Call<T> call) throws IOException {
    FutureTask<T> future = new FutureTask<>(call::call);
    Thread.ofPlatform().name("mount").start(future);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw failure(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static IOException failure(ExecutionException e) {
    return switch (e.getCause()) {
      case IOException io -> io;
      case RuntimeException unchecked -> throw unchecked;
      case Error error -> throw error;
      case null, default -> new IOException(e);
    };
  }
}
