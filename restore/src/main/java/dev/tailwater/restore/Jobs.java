package dev.tailwater.restore;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs an action on every item of a list, on a bounded number of platform threads. */
public final class Jobs {
  /** What is done with one item. */
  public interface Action<T> {
    void run(T item) throws IOException;
  }

  private Jobs() {}

  /**
   * Returns when all items are done. After the first failure no further item is begun; the failure
   * is thrown when the others have ended.
   */
  public static <T> void forEach(String name, List<T> items, int jobs, Action<T> action)
      throws IOException {
    AtomicInteger next = new AtomicInteger();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Runnable worker =
        () -> {
          for (int at = next.getAndIncrement();
              at < items.size() && failure.get() == null;
              at = next.getAndIncrement()) {
            try {
              action.run(items.get(at));
            } catch (Throwable e) {
              failure.compareAndSet(null, e);
            }
          }
        };
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Math.min(jobs, items.size()); i++) {
      threads.add(Thread.ofPlatform().name(name + "-" + i).start(worker));
    }
    join(threads, failure);
    rethrow(failure.get());
  }

  private static void join(List<Thread> threads, AtomicReference<@Nullable Throwable> failure) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
          failure.compareAndSet(null, new InterruptedIOException("interrupted"));
          threads.forEach(Thread::interrupt);
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Throws what an action has thrown; does nothing if it is null. */
  public static void rethrow(@Nullable Throwable failure) throws IOException {
    switch (failure) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
  }
}
