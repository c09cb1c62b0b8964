package dev.tailwater.store.datafile.file;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Work in the background that the store can do without: if it fails, something is slower or longer,
 * never wrong.
 */
public final class Background {
  /** Work that may fail. */
  @FunctionalInterface
  public interface Task {
    void run() throws Exception;
  }

  private final Executor executor;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();

  @GuardedBy("lock")
  private int running;

  @GuardedBy("lock")
  private long failures;

  @GuardedBy("lock")
  private Optional<String> lastFailure = Optional.empty();

  public Background(Executor executor) {
    this.executor = executor;
  }

  /** Starts a task; returns false, and counts a failure, when the executor rejects it. */
  public boolean run(Task task) {
    count(1);
    try {
      executor.execute(() -> perform(task));
      return true;
    } catch (RuntimeException | Error rejected) { // no thread can be made, for example
      failed(rejected);
      count(-1);
      return false;
    }
  }

  private void perform(Task task) {
    try {
      task.run();
    } catch (Throwable failed) {
      failed(failed); // an Error too: there is no caller to throw it to
    } finally {
      count(-1);
    }
  }

  private void count(int change) {
    lock.lock();
    try {
      running += change;
      idle.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Counts a failure that no caller can be told of. */
  public void failed(Throwable cause) {
    lock.lock();
    try {
      failures++;
      lastFailure = Optional.of(cause.toString());
    } finally {
      lock.unlock();
    }
  }

  public long failures() {
    lock.lock();
    try {
      return failures;
    } finally {
      lock.unlock();
    }
  }

  public Optional<String> lastFailure() {
    lock.lock();
    try {
      return lastFailure;
    } finally {
      lock.unlock();
    }
  }

  public void awaitIdle() {
    lock.lock();
    try {
      while (running > 0) {
        idle.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
