package dev.tailwater.io.async;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.FileCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Threads that each make one pread(2) at a time. A thread starts when there is work and none is
 * idle, up to a limit, and lives until the close.
 */
final class PreadWorkers implements RequestSink {
  private final FileCalls calls;
  private final int maxThreads;
  private final ThreadFactory maker;

  @GuardedBy("this")
  private final RequestList waiting = new RequestList();

  @GuardedBy("this")
  private final List<Thread> threads = new ArrayList<>();

  @GuardedBy("this")
  private int idleThreads;

  @GuardedBy("this")
  private boolean closed;

  PreadWorkers(FileCalls calls, int maxThreads) {
    this(
        calls,
        maxThreads,
        Thread.ofPlatform().daemon().name("tailwater-random-read-", 0).factory());
  }

  /**
   * @param maker makes threads that are not started yet
   */
  PreadWorkers(FileCalls calls, int maxThreads, ThreadFactory maker) {
    this.calls = calls;
    this.maxThreads = maxThreads;
    this.maker = maker;
  }

  @Override
  public synchronized void accept(RequestList requests) {
    int count = requests.size();
    int missing = waiting.size() + count - idleThreads;
    // First, as it fails when the process may have no more threads.
    boolean more = true;
    for (int i = 0; more && i < missing && threads.size() < maxThreads; i++) {
      more = tryStartThread();
    }
    waiting.addAll(requests);
    for (int i = 0; i < Math.min(count, idleThreads); i++) {
      notify();
    }
  }

  /**
   * Starts a thread; returns false if the existing threads must suffice. Fails if there are none.
   */
  @GuardedBy("this")
  private boolean tryStartThread() {
    try {
      startThread();
      return true;
    } catch (OutOfMemoryError e) {
      if (threads.isEmpty()) {
        throw e;
      }
      return false; // a limit of processes, as in containers: fewer threads are slower, but work
    }
  }

  @GuardedBy("this")
  private void startThread() {
    Thread thread = maker.newThread(this::work);
    thread.start();
    threads.add(thread);
  }

  private void work() {
    Request request = take();
    while (request != null) {
      try {
        Preads.complete(calls, request);
      } catch (RuntimeException | Error e) {
        request.fail(e); // thrown where the result is taken
      }
      request.returnToOwner();
      request = take();
    }
  }

  private synchronized @Nullable Request take() {
    idleThreads++;
    DeferredInterrupt ignored = new DeferredInterrupt(); // close ends this thread, nothing else
    while (waiting.isEmpty() && !closed) {
      ignored.await(this);
    }
    idleThreads--;
    return waiting.poll();
  }

  @Override
  public void close() {
    List<Thread> ending;
    synchronized (this) {
      closed = true;
      notifyAll();
      ending = List.copyOf(threads);
    }
    DeferredInterrupt interrupt = new DeferredInterrupt();
    for (Thread thread : ending) {
      interrupt.join(thread);
    }
    interrupt.restore();
  }
}
