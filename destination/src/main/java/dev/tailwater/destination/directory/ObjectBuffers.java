package dev.tailwater.destination.directory;

import dev.tailwater.io.buffer.BufferPool;
import dev.tailwater.io.buffer.BufferPoolExhaustedException;
import dev.tailwater.io.buffer.PooledBuffer;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;

/**
 * Native buffers between heap arrays and file calls, each as large as the mount wants its writes.
 * Writers together hold at most {@value #MAX_WRITERS}, and open streams at most {@value
 * #MAX_READERS}: for 256 KiB that is never more than 17 MiB. Thread-safe.
 */
final class ObjectBuffers implements AutoCloseable {
  private static final int MAX_WRITERS = 4;

  /** Apart from the writers' ones, since a stream keeps its buffer for as long as it likes. */
  static final int MAX_READERS = 64;

  /** Who has so many streams open forgot to close them: better a word for it than to wait on. */
  private static final long READER_PATIENCE_MILLIS = 60_000;

  private final int sizeBytes;
  private final BufferPool forWriting;
  private final BufferPool forReading;

  /**
   * @param sizeBytes of one buffer; what {@code MountInfo.preferredWriteBytes} says
   */
  ObjectBuffers(int sizeBytes) {
    this.sizeBytes = sizeBytes;
    this.forWriting = BufferPool.ofBound((long) MAX_WRITERS * sizeBytes);
    this.forReading = BufferPool.ofBound((long) MAX_READERS * sizeBytes);
  }

  /**
   * For one write, by this thread; waits for its turn, and goes on to do so when interrupted.
   *
   * @throws ErrnoException ENOMEM when the kernel has no memory
   */
  PooledBuffer forWriting(String holder) throws ErrnoException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return forWriting.acquire(holder, sizeBytes);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (BufferPoolExhaustedException e) {
          ErrnoException noMemory = ErrnoException.of("mmap", holder, Errno.ENOMEM);
          noMemory.initCause(e);
          throw noMemory;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * For a stream, which any thread may read and close.
   *
   * @throws dev.tailwater.io.buffer.BufferPoolExhaustedException when too many are open
   * @throws InterruptedException when interrupted while it waits
   */
  PooledBuffer forReading(String holder) throws InterruptedException {
    return forReading.acquire(holder, sizeBytes, READER_PATIENCE_MILLIS).share();
  }

  /**
   * Gives the memory back: that of puts and streams which are under way still, when they end. An
   * agent that stops does not wait for a put that hangs on a dead server.
   */
  @Override
  public void close() {
    forWriting.retire();
    forReading.retire();
  }
}
