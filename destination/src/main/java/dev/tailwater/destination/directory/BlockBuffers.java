package dev.tailwater.destination.directory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;

/**
 * Native buffers between heap arrays and file calls, of a multiple of the file system's block size,
 * so that no write but the last ends inside a block. Thread-safe.
 *
 * <p>Writers together hold at most {@value #MAX_WRITERS}; the next one waits. A reader holds one
 * for as long as its stream is open and never waits.
 */
final class BlockBuffers {
  static final int MAX_WRITERS = 4;

  /** A write call costs about as much as copying some kilobytes; beyond this nothing is gained. */
  static final int USUAL_BYTES = 256 * 1024;

  private static final int MAX_BYTES = 4 * 1024 * 1024;
  private static final int PAGE_BYTES = 4096;

  private final int bufferBytes;
  private final Semaphore writers = new Semaphore(MAX_WRITERS);
  private final BlockingQueue<MemorySegment> free = new ArrayBlockingQueue<>(2 * MAX_WRITERS);

  BlockBuffers(long blockSizeBytes) {
    this.bufferBytes = bufferBytes(blockSizeBytes);
  }

  /** The smallest multiple of the block that is at least the usual size, within limits. */
  static int bufferBytes(long blockSizeBytes) {
    long block = Math.clamp(blockSizeBytes, 512, MAX_BYTES);
    return (int) Math.min((USUAL_BYTES + block - 1) / block * block, MAX_BYTES);
  }

  MemorySegment takeForWriting() {
    writers.acquireUninterruptibly();
    return take();
  }

  void giveBackFromWriting(MemorySegment buffer) {
    giveBack(buffer);
    writers.release();
  }

  MemorySegment take() {
    MemorySegment buffer = free.poll();
    return buffer == null ? Arena.ofAuto().allocate(bufferBytes, PAGE_BYTES) : buffer;
  }

  void giveBack(MemorySegment buffer) {
    // When there are enough already the garbage collector frees it.
    boolean _ = free.offer(buffer);
  }
}
