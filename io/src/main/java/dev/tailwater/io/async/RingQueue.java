package dev.tailwater.io.async;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * A queue with a ring of its own: one system call submits new requests and waits for completions.
 * Only {@link #close} by another thread contends for the monitor.
 */
final class RingQueue implements ReadQueue {
  private final int depth;

  @GuardedBy("this")
  private final RingRequests requests;

  @GuardedBy("this")
  private final RequestList idle;

  /** Kept here, since a new method reference would allocate. */
  private final Consumer<Request> reuse;

  @GuardedBy("this")
  private int inFlight;

  /** Written with the monitor. */
  private volatile boolean closed;

  private RingQueue(RingRequests requests, int depth) {
    this.requests = requests;
    this.depth = depth;
    RequestList unused = new RequestList();
    for (int i = 0; i < depth; i++) {
      unused.add(new Request(null));
    }
    this.idle = unused;
    this.reuse = unused::add;
  }

  /** Fails as io_uring_setup(2) does. */
  static RingQueue open(FileCalls calls, int depth) throws ErrnoException {
    return new RingQueue(new RingRequests(Ring.open(calls, depth), depth), depth);
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public synchronized int inFlight() {
    return inFlight;
  }

  @Override
  public synchronized void submit(
      RandomFile file, long offsetBytes, MemorySegment target, long tag) {
    requireOpen();
    Targets.check(file, offsetBytes, target);
    file.requireOpen();
    Request request = idle.poll();
    if (request == null) {
      throw SharedQueue.full(depth);
    }
    request.begin(file, offsetBytes, target, tag);
    inFlight++;
    requests.begin(request);
  }

  @Override
  public synchronized int awaitSome(ReadHandler handler) {
    requireOpen();
    int handedOut = 0;
    while (handedOut == 0 && inFlight > 0) {
      requests.enter(true);
      handedOut = handOut(handler);
    }
    return handedOut;
  }

  @Override
  public synchronized int pollSome(ReadHandler handler) {
    requireOpen();
    if (inFlight == 0) {
      return 0;
    }
    requests.enter(false);
    return handOut(handler);
  }

  @GuardedBy("this")
  private int handOut(ReadHandler handler) {
    int handedOut = 0;
    Request request = requests.nextDone();
    while (request != null) {
      inFlight--;
      handedOut++;
      request.handOut(handler, reuse);
      if (!closed) {
        // At once, not with the others: the disk would have less to do meanwhile.
        requests.submitBegun();
      }
      request = closed ? null : requests.nextDone();
    }
    return handedOut;
  }

  private void requireOpen() {
    if (closed) {
      throw SharedQueue.closedQueue();
    }
  }

  @Override
  public synchronized void close() throws ErrnoException {
    if (closed) {
      return;
    }
    closed = true;
    requests.abandon(new RequestList());
    inFlight = 0;
    requests.close();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }
}
