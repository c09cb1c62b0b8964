package dev.tailwater.destination.directory;

import dev.tailwater.io.buffer.BufferPool;
import dev.tailwater.io.buffer.BufferPoolExhaustedException;
import dev.tailwater.io.buffer.PooledBuffer;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;

/**
 * The native buffers between heap arrays and file calls, each of the mount's preferred write size.
 * Writers together hold at most {@value #MAX_WRITERS} buffers, and open streams at most {@value
 * #MAX_READERS}: with 256 KiB each, never more than 17 MiB. Thread-safe.
 */
final class ObjectBuffers implements AutoCloseable {
  private static final int MAX_WRITERS = 4;

  /**
   * Separate from the writers' buffers, since a stream keeps its buffer as long as the caller
   * likes.
   */
  static final int MAX_READERS = 64;

  /**
   * The wait after which a read fails. A caller with so many open streams has forgotten to close
   * them, so it is better to report this than to wait longer.
   */
  private static final long READER_PATIENCE_MILLIS = 60_000;

  private final int sizeBytes;
  private final BufferPool forWriting;
  private final BufferPool forReading;

  /**
   * @param sizeBytes of one buffer: {@code MountInfo.preferredWriteBytes}
   */
  ObjectBuffers(int sizeBytes) {
    this.sizeBytes = sizeBytes;
    this.forWriting = BufferPool.ofBound((long) MAX_WRITERS * sizeBytes);
    this.forReading = BufferPool.ofBound((long) MAX_READERS * sizeBytes);
  }

  /**
   * Returns a buffer for one write by this thread. Waits until one is free, even if interrupted.
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
   * Returns a buffer for a stream, which any thread may read and close.
   *
   * @throws dev.tailwater.io.buffer.BufferPoolExhaustedException when too many are open
   * @throws InterruptedException when interrupted while it waits
   */
  PooledBuffer forReading(String holder) throws InterruptedException {
    return forReading.acquire(holder, sizeBytes, READER_PATIENCE_MILLIS).share();
  }

  /**
   * Frees the memory; that of puts and streams in progress is freed when they end. An agent that
   * stops does not wait for a put that hangs on a dead server.
   */
  @Override
  public void close() {
    forWriting.retire();
    forReading.retire();
  }
}
