package dev.tailwater.restore.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.buffer.BufferPool;
import dev.tailwater.io.buffer.PooledBuffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A bounded number of native buffers of one size. Each is acquired once and used for one piece
 * after the other: of short files, a loan of the pool for each would take longer than to copy their
 * bytes. Thread-safe.
 */
public final class PieceBuffers implements AutoCloseable {
  private final int most;
  private final int sizeBytes;
  private final BufferPool pool;

  /** Those that nobody uses now. The last one that was used is the most likely to be in a cache. */
  @GuardedBy("this")
  private final Deque<PooledBuffer> free = new ArrayDeque<>();

  /** All that were acquired. */
  @GuardedBy("this")
  private final List<PooledBuffer> all = new ArrayList<>();

  /**
   * @param most how many there are at most
   */
  public PieceBuffers(int most, int sizeBytes) {
    this.most = most;
    this.sizeBytes = sizeBytes;
    // How many there are is counted here. The pool rounds sizes up, and must never wait for room,
    // since nothing is given back to it.
    this.pool = BufferPool.ofBound(2L * most * sizeBytes);
  }

  /** Returns a buffer that nobody else uses; waits until there is one. */
  public synchronized Loan acquire() throws InterruptedException {
    while (free.isEmpty() && all.size() == most) {
      wait();
    }
    if (!free.isEmpty()) {
      return new Loan(free.pop());
    }
    PooledBuffer another = pool.acquire("piece", sizeBytes).share();
    all.add(another);
    return new Loan(another);
  }

  private synchronized void giveBack(PooledBuffer buffer) {
    free.push(buffer);
    notifyAll();
  }

  /** The use of a buffer, by one thread at a time. Its content is undefined at first. */
  public final class Loan implements AutoCloseable {
    private final PooledBuffer buffer;

    private Loan(PooledBuffer buffer) {
      this.buffer = buffer;
    }

    /** Returns its memory, until this is closed. */
    public MemorySegment segment() {
      return buffer.segment();
    }

    /** Gives it back; called once. */
    @Override
    public void close() {
      giveBack(buffer);
    }
  }

  /**
   * Frees the buffers, which nobody uses any more: not all need be given back, since an interrupted
   * close drops pieces that no thread has begun.
   */
  @Override
  public synchronized void close() {
    all.forEach(PooledBuffer::close);
    pool.close();
  }
}
