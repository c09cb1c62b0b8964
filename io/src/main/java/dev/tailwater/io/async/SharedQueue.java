package dev.tailwater.io.async;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.ErrnoException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * A queue whose requests are done by threads that serve all such queues. A virtual thread that
 * waits here releases its carrier.
 */
final class SharedQueue implements ReadQueue {
  private final RequestSink sink;
  private final int depth;

  /** Kept here, since a new method reference would allocate. */
  private final Consumer<Request> finisher = this::finished;

  // These belong to the thread that submits.

  private final RequestList idle = new RequestList();

  private final Consumer<Request> reuse = idle::add;

  private final RequestList submitted = new RequestList();
  private final RequestList ready = new RequestList();
  private int made;
  private int inFlight;

  @GuardedBy("this")
  private final RequestList finished = new RequestList();

  /** Given to the sink and not finished. */
  @GuardedBy("this")
  private int handed;

  @GuardedBy("this")
  private boolean closed;

  SharedQueue(RequestSink sink, int depth) {
    this.sink = sink;
    this.depth = depth;
  }

  static IllegalStateException full(int depth) {
    return new IllegalStateException(
        depth + " reads are in flight, as many as the queue's depth: take results first");
  }

  static IllegalStateException closedQueue() {
    return new IllegalStateException("the queue of reads is closed");
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public int inFlight() {
    return inFlight;
  }

  @Override
  public void submit(RandomFile file, long offsetBytes, MemorySegment target, long tag) {
    requireOpen();
    Targets.check(file, offsetBytes, target);
    file.requireOpen();
    Request request = unused();
    request.begin(file, offsetBytes, target, tag);
    inFlight++;
    submitted.add(request);
  }

  private Request unused() {
    Request request = idle.poll();
    if (request != null) {
      return request;
    }
    if (made == depth) {
      throw full(depth);
    }
    made++;
    return new Request(finisher);
  }

  @Override
  public int awaitSome(ReadHandler handler) throws ErrnoException {
    handOver();
    if (ready.isEmpty() && inFlight > 0) {
      takeFinished(true);
    }
    return handOut(handler);
  }

  @Override
  public int pollSome(ReadHandler handler) throws ErrnoException {
    handOver();
    if (ready.isEmpty()) {
      takeFinished(false);
    }
    return handOut(handler);
  }

  private void handOver() throws ErrnoException {
    requireOpen();
    int count = submitted.size();
    if (count == 0) {
      return;
    }
    count(count);
    boolean accepted = false;
    try {
      sink.accept(submitted);
      accepted = true;
    } finally {
      if (!accepted) {
        count(-count);
      }
    }
  }

  private synchronized void count(int more) {
    handed += more;
    notifyAll();
  }

  private synchronized void takeFinished(boolean wait) {
    if (wait && finished.isEmpty()) {
      awaitFinished();
    }
    ready.addAll(finished);
  }

  private synchronized void awaitFinished() {
    DeferredInterrupt interrupt = new DeferredInterrupt();
    while (finished.isEmpty()) {
      interrupt.await(this);
    }
    interrupt.restore();
  }

  private int handOut(ReadHandler handler) {
    int handedOut = 0;
    Request request = ready.poll();
    while (request != null) {
      inFlight--;
      handedOut++;
      request.handOut(handler, reuse);
      request = ready.poll();
    }
    return handedOut;
  }

  private synchronized void finished(Request request) {
    handed--;
    finished.add(request);
    notifyAll();
  }

  private synchronized void requireOpen() {
    if (closed) {
      throw closedQueue();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    DeferredInterrupt interrupt = new DeferredInterrupt();
    while (handed > 0) {
      interrupt.await(this);
    }
    interrupt.restore();
  }

  @Override
  public synchronized boolean isClosed() {
    return closed;
  }
}
