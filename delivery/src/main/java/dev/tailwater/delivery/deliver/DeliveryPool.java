package dev.tailwater.delivery.deliver;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.thread.ThreadShortage;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The threads of a {@link Deliverer}, more or fewer of them. Where the system has no more threads,
 * those that there are do the work. Thread-safe.
 *
 * <p>They are platform threads: a put to a directory spends its time in native calls, which would
 * pin the carriers of virtual threads.
 */
final class DeliveryPool {
  private final int least;
  private final ThreadPoolExecutor threads;
  private final ThreadShortage shortage;

  /**
   * Starts the threads.
   *
   * @param unforeseen told of what must not happen
   */
  DeliveryPool(DelivererSettings settings, Problems problems, Consumer<Throwable> unforeseen) {
    this.least = settings.parallel();
    this.shortage = new ThreadShortage(problems, "more threads for deliveries");
    this.threads =
        new ThreadPoolExecutor(
            settings.parallel(),
            settings.parallel(),
            0,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            new DeliveryThreads(settings.threads(), unforeseen));
    boolean started = false;
    try {
      // By this thread: a thread that a worker starts later inherits the worker's low priority.
      threads.prestartAllCoreThreads();
      started = true;
    } finally {
      if (!started) {
        threads.shutdownNow();
      }
    }
  }

  /**
   * Executes the order as soon as a thread is free. Where threads are short, it may be executed
   * twice.
   *
   * @throws RejectedExecutionException when the pool is closed
   * @throws OutOfMemoryError when no thread is left, and none can be started; the order may be
   *     executed later all the same
   */
  void execute(DeliveryOrder order) {
    try {
      threads.execute(order);
    } catch (OutOfMemoryError e) {
      if (threads.getPoolSize() == 0) {
        throw e;
      }
      // A thread that has ended cannot be replaced; the others take the order.
      threads.getQueue().add(order);
      shortage.report(e);
    }
  }

  /** Sets the number of threads, but to no fewer than there were at first. */
  void resize(int wanted) {
    int allowed = Math.max(least, wanted);
    if (allowed > threads.getMaximumPoolSize()) {
      grow(allowed);
    } else {
      threads.setCorePoolSize(allowed);
      threads.setMaximumPoolSize(allowed);
    }
  }

  private void grow(int allowed) {
    try {
      threads.setMaximumPoolSize(allowed);
      threads.setCorePoolSize(allowed);
      threads.prestartAllCoreThreads();
      shortage.resolved();
    } catch (OutOfMemoryError e) {
      // As many as there are: otherwise each order would try in vain to start another one.
      int living = Math.max(1, threads.getPoolSize());
      threads.setCorePoolSize(living);
      threads.setMaximumPoolSize(living);
      shortage.report(e);
    }
  }

  /** Returns whether an order waits for a thread. */
  boolean isBusy() {
    return !threads.getQueue().isEmpty();
  }

  /** Begins to end the threads; returns at once. */
  void beginClose() {
    threads.shutdown();
  }

  /** Waits, after {@link #beginClose}, until the threads have ended, and then interrupts them. */
  void awaitClosed(long timeoutMillis) {
    try {
      if (!threads.awaitTermination(timeoutMillis, TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
