package dev.tailwater.io.async;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Concurrent positional reads, by io_uring if the kernel allows it, else by threads, with the same
 * results.
 *
 * <pre>{@code
 * FileCalls calls = LinuxFileCalls.create();
 * try (RandomReads reads = RandomReads.open(calls, RandomReadOptions.defaults());
 *     Descriptor descriptor = Descriptor.open(calls, AT_FDCWD, path, Set.of(), 0);
 *     Arena arena = Arena.ofShared()) {
 *   RandomFile file = RandomFile.of(descriptor);
 *   List<ReadResult> results =
 *       reads.readAll(
 *           List.of(
 *               new ReadRequest(file, 0, arena.allocate(4096)),
 *               new ReadRequest(file, 1 << 20, arena.allocate(4096))));
 *   int bytes = results.get(0).bytesOrThrow();
 * }
 * }</pre>
 *
 * <p>Thread-safe. A platform thread that calls {@link #readAll} uses a ring of its own during the
 * call, so that several threads have several times the depth in flight; a batch of one request is a
 * plain pread(2), which is faster. Virtual threads, and {@link #read}, share one platform thread
 * and its ring, so that none holds its carrier; together they have the depth in flight. If the
 * engine is threads, all callers share them. There are at most {@value #MAX_RINGS} rings; further
 * callers wait.
 *
 * <p>Reads cannot be cancelled, because the kernel cannot stop a disk from writing into memory. So
 * {@link #close} waits, and an interrupt does not end a wait.
 */
public final class RandomReads implements AutoCloseable {
  private static final int MAX_RINGS = 64;

  private final FileCalls calls;
  private final int depth;
  private final EngineChoice choice;
  private final CallGate gate = new CallGate();
  private final QueuePool rings;
  private final QueuePool sharedQueues;

  /** The queues that {@link #openQueue} returned. */
  @GuardedBy("openedQueues")
  private final List<ReadQueue> openedQueues = new ArrayList<>();

  private final Object sinkLock = new Object();

  /** Made when it is first needed. */
  @GuardedBy("sinkLock")
  private @Nullable RequestSink sink;

  private RandomReads(FileCalls calls, int depth, EngineChoice choice) {
    this.calls = calls;
    this.depth = depth;
    this.choice = choice;
    this.rings = new QueuePool(() -> RingQueue.open(calls, depth), MAX_RINGS);
    this.sharedQueues = new QueuePool(() -> new SharedQueue(sink(), depth), Integer.MAX_VALUE);
  }

  /**
   * Opens random reads with the best engine of this machine.
   *
   * @throws ErrnoException when the options require io_uring and the kernel refuses it; the message
   *     says what to change
   */
  public static RandomReads open(FileCalls calls, RandomReadOptions options) throws ErrnoException {
    return new RandomReads(calls, options.queueDepth(), new EngineProbe(calls, options).choose());
  }

  /** Returns the engine in use, and why it was chosen. */
  public EngineChoice engine() {
    return choice;
  }

  /**
   * Makes all reads and returns when all are done, each with success or its own failure.
   *
   * @return a result for each request, in their order
   * @throws ErrnoException when no ring can be made (EMFILE, ENOMEM); what goes wrong with one
   *     request is its result
   * @throws IllegalStateException when this, a descriptor or a target's arena is closed; nothing is
   *     in flight then
   */
  public List<ReadResult> readAll(List<ReadRequest> requests) throws ErrnoException {
    List<ReadRequest> batch = List.copyOf(requests);
    gate.enter();
    try {
      for (ReadRequest request : batch) {
        request.file().requireOpen();
      }
      if (batch.isEmpty()) {
        return List.of();
      }
      boolean virtual = Thread.currentThread().isVirtual();
      if (batch.size() == 1 && !virtual) {
        return List.of(readHere(batch.getFirst()));
      }
      return run(batch, choice.engine() == ReadEngine.URING && !virtual ? rings : sharedQueues);
    } finally {
      gate.leave();
    }
  }

  /**
   * Begins one read without waiting for it. All such reads share one thread and its ring, or the
   * threads of the other engine.
   *
   * @return a future that is completed on such a thread, so dependent actions must neither wait nor
   *     take long: use an executor for them. Completed exceptionally only if that thread has failed
   * @throws ErrnoException when no ring can be made (EMFILE, ENOMEM)
   * @throws IllegalStateException when this, the descriptor or the target's arena is closed
   */
  public CompletableFuture<ReadResult> read(ReadRequest request) throws ErrnoException {
    gate.enter();
    boolean accepted = false;
    try {
      request.file().requireOpen();
      FutureRead read = new FutureRead(gate);
      Request handed = new Request(read);
      handed.begin(request.file(), request.offsetBytes(), request.target(), 0);
      RequestList list = new RequestList();
      list.add(handed);
      sink().accept(list);
      accepted = true;
      return read.future();
    } finally {
      if (!accepted) {
        gate.leave();
      }
    }
  }

  private ReadResult readHere(ReadRequest only) {
    Request request = new Request(null);
    request.begin(only.file(), only.offsetBytes(), only.target(), 0);
    Preads.complete(calls, request);
    return request.result();
  }

  private static List<ReadResult> run(List<ReadRequest> batch, QueuePool pool)
      throws ErrnoException {
    ReadQueue queue = pool.borrow();
    List<ReadResult> results;
    try {
      results = new Batch(queue, batch).run();
    } catch (ErrnoException | RuntimeException | Error e) {
      try {
        pool.discard(queue);
      } catch (ErrnoException | RuntimeException | Error closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
    pool.giveBack(queue);
    return results;
  }

  /**
   * Opens a queue for a stream of requests from one thread. A queue that a virtual thread opens may
   * be used by any thread; one that a platform thread opens is faster, but a virtual thread that
   * waits in it holds its carrier.
   *
   * @throws ErrnoException when no ring can be made (EMFILE, ENOMEM)
   * @throws IllegalStateException when this is closed
   */
  public ReadQueue openQueue() throws ErrnoException {
    gate.enter();
    try {
      boolean ring = choice.engine() == ReadEngine.URING && !Thread.currentThread().isVirtual();
      ReadQueue queue = ring ? RingQueue.open(calls, depth) : new SharedQueue(sink(), depth);
      synchronized (openedQueues) {
        openedQueues.removeIf(ReadQueue::isClosed);
        openedQueues.add(queue);
      }
      return queue;
    } finally {
      gate.leave();
    }
  }

  private RequestSink sink() throws ErrnoException {
    synchronized (sinkLock) {
      if (sink == null) {
        sink =
            choice.engine() == ReadEngine.URING
                ? RingWorker.start(calls, depth)
                : new PreadWorkers(calls, depth);
      }
      return sink;
    }
  }

  /**
   * Rejects new requests, waits for those in flight, closes all open queues, and ends the threads.
   * Does nothing the second time.
   */
  @Override
  public void close() throws ErrnoException {
    if (!gate.close()) {
      return;
    }
    CloseSequence closing = new CloseSequence();
    synchronized (openedQueues) {
      openedQueues.forEach(queue -> closing.close(queue::close));
      openedQueues.clear();
    }
    rings.close(closing);
    sharedQueues.close(closing);
    @Nullable RequestSink opened;
    synchronized (sinkLock) {
      opened = sink;
    }
    if (opened != null) {
      closing.close(opened::close);
    }
    closing.throwFirst();
  }
}
