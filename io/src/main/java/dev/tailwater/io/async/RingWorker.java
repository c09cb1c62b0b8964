package dev.tailwater.io.async;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import org.jspecify.annotations.Nullable;

/**
 * A platform thread with a ring, which makes the requests of virtual threads, since these would
 * hold their carriers while they wait in the kernel. An event descriptor in the ring wakes it for
 * new requests.
 */
final class RingWorker implements RequestSink {
  private final FileCalls calls;
  private final int wakeFd;
  private final Thread thread;

  /** Belongs to the thread. */
  private final RingRequests requests;

  @GuardedBy("this")
  private final RequestList waiting = new RequestList();

  @GuardedBy("this")
  private boolean asleep;

  @GuardedBy("this")
  private boolean closed;

  @GuardedBy("this")
  private @Nullable Throwable breakdown;

  private RingWorker(FileCalls calls, RingRequests requests, int wakeFd) {
    this.calls = calls;
    this.requests = requests;
    this.wakeFd = wakeFd;
    this.thread = Thread.ofPlatform().name("tailwater-random-reads").daemon().unstarted(this::work);
  }

  /**
   * Starts the thread.
   *
   * @param depth how many requests are in flight at most, of all callers
   */
  static RingWorker start(FileCalls calls, int depth) throws ErrnoException {
    int wakeFd = calls.eventFd();
    try {
      RingRequests requests = new RingRequests(Ring.open(calls, depth + 1), depth);
      RingWorker worker = new RingWorker(calls, requests, wakeFd);
      try {
        worker.thread.start();
      } catch (RuntimeException | Error e) {
        requests.close();
        throw e;
      }
      return worker;
    } catch (ErrnoException | RuntimeException | Error e) {
      calls.close(wakeFd);
      throw e;
    }
  }

  @Override
  public void accept(RequestList list) throws ErrnoException {
    synchronized (this) {
      if (breakdown != null) {
        throw new IllegalStateException("the thread that reads broke down", breakdown);
      }
      if (asleep) {
        calls.signalEventFd(wakeFd); // first: when it fails, nothing was handed over
        asleep = false;
      }
      waiting.addAll(list);
    }
  }

  private void work() {
    try {
      clearAndWatch();
      while (beginWaiting()) {
        requests.enter(true);
        returnDone();
        clearAndWatch();
      }
    } catch (ErrnoException | RuntimeException | Error e) {
      breakDown(e);
    }
  }

  /** Called before looking at the waiting requests, or a signal between the two would be lost. */
  private void clearAndWatch() throws ErrnoException {
    if (!requests.watching()) {
      calls.clearEventFd(wakeFd);
      requests.watch(wakeFd);
    }
  }

  /** Begins waiting requests; returns false if the thread can end. */
  private synchronized boolean beginWaiting() {
    while (requests.hasRoom() && !waiting.isEmpty()) {
      Request request = waiting.poll();
      if (request != null) {
        requests.begin(request);
      }
    }
    asleep = waiting.isEmpty();
    return !closed || requests.busy() || !waiting.isEmpty();
  }

  private void returnDone() {
    Request request = requests.nextDone();
    while (request != null) {
      request.returnToOwner();
      request = requests.nextDone();
    }
  }

  /** Fails all requests, once the kernel no longer writes to their targets. */
  private void breakDown(Throwable cause) {
    RequestList failed = new RequestList();
    requests.abandon(failed);
    synchronized (this) {
      breakdown = cause;
      failed.addAll(waiting);
    }
    Request request = failed.poll();
    while (request != null) {
      request.fail(cause);
      request.returnToOwner();
      request = failed.poll();
    }
  }

  @Override
  public void close() throws ErrnoException {
    synchronized (this) {
      closed = true;
    }
    calls.signalEventFd(wakeFd);
    DeferredInterrupt interrupt = new DeferredInterrupt();
    interrupt.join(thread);
    interrupt.restore();
    try (AutoCloseableCall _ = () -> calls.close(wakeFd)) {
      requests.close();
    }
  }
}
