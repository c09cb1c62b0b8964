package dev.tailwater.io.async;

import dev.tailwater.posix.ErrnoException;
import java.lang.foreign.MemorySegment;

/**
 * A stream of random reads with up to {@link #depth} in flight, for one thread at a time that
 * submits requests and takes results. Compiled, it allocates nothing per request with either
 * engine, in any thread (measured with ThreadMXBean on JDK 25, x86-64); only a virtual thread that
 * parks costs a few bytes.
 *
 * <pre>{@code
 * try (ReadQueue queue = reads.openQueue()) {
 *   while (more() || queue.inFlight() > 0) {
 *     while (more() && queue.inFlight() < queue.depth()) {
 *       queue.submit(file, nextOffset(), freeTarget(), tag);
 *     }
 *     queue.awaitSome(handler); // as soon as one is done, so the depth stays full
 *   }
 * }
 * }</pre>
 *
 * <p>Requests complete in any order. One that was submitted begins at the next {@link #awaitSome}
 * or {@link #pollSome} at the latest. The kernel may write to its target until its result was
 * delivered or {@link #close} has returned: do not free the memory earlier. The thread that begins
 * a request must live until the request is done.
 *
 * <p>Only {@link #close} may be called by other threads. An interrupt does not end a wait.
 */
public interface ReadQueue extends AutoCloseable {
  /** Returns how many requests can be in flight. */
  int depth();

  /** Returns how many submitted requests have not delivered their results yet. */
  int inFlight();

  /**
   * Adds a request to read until the target is full or the file ends.
   *
   * @param target as {@link ReadRequest#target}
   * @param tag given back with the result
   * @throws IllegalArgumentException as {@link ReadRequest}
   * @throws IllegalStateException when {@link #depth} are in flight, or when the queue, the
   *     descriptor or the target's arena is closed
   */
  void submit(RandomFile file, long offsetBytes, MemorySegment target, long tag);

  /**
   * Waits until at least one request is done, and delivers the results of all that are.
   *
   * @return the number of results; 0 if no request is in flight
   * @throws ErrnoException when the kernel cannot be asked at all; what goes wrong with one request
   *     is its result
   * @throws IllegalStateException when the queue is closed
   */
  int awaitSome(ReadHandler handler) throws ErrnoException;

  /** As {@link #awaitSome} without waiting; 0 when none is done yet. */
  int pollSome(ReadHandler handler) throws ErrnoException;

  /**
   * Waits until nothing is in flight and frees the resources of the queue. Drops results that were
   * not delivered. Does nothing the second time.
   */
  @Override
  void close() throws ErrnoException;

  /** Returns whether {@link #close} was called. */
  boolean isClosed();
}
