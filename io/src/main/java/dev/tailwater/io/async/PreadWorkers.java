package dev.tailwater.io.async;

import dev.tailwater.posix.FileCalls;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Threads that each do one pread(2) at a time. They are started when there is work and none is
 * idle, up to a limit, and stay until the end.
 */
final class PreadWorkers implements RequestSink {
  private final FileCalls calls;
  private final int maxThreads;

  /** Guarded by the monitor, as what follows. */
  private final RequestList waiting = new RequestList();

  private final List<Thread> threads = new ArrayList<>();
  private int idleThreads;
  private boolean closed;

  PreadWorkers(FileCalls calls, int maxThreads) {
    this.calls = calls;
    this.maxThreads = maxThreads;
  }

  @Override
  public synchronized void accept(RequestList requests) {
    int count = requests.size();
    int missing = waiting.size() + count - idleThreads;
    // First, as it fails when the process may have no more threads.
    for (int i = 0; i < missing && threads.size() < maxThreads; i++) {
      startThread();
    }
    waiting.addAll(requests);
    for (int i = 0; i < Math.min(count, idleThreads); i++) {
      notify();
    }
  }

  private void startThread() {
    Thread thread =
        Thread.ofPlatform()
            .name("tailwater-random-read-" + threads.size())
            .daemon()
            .unstarted(this::work);
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
      request.giveBack();
      request = take();
    }
  }

  private synchronized @Nullable Request take() {
    idleThreads++;
    Interruption ignored = new Interruption(); // close ends this thread, nothing else
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
    Interruption interruption = new Interruption();
    for (Thread thread : ending) {
      interruption.join(thread);
    }
    interruption.restore();
  }
}
