package dev.tailwater.cli.ship;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * Keeps the heap near what is alive. The serial collector collects the old generation only when it
 * has grown to its maximum, so resident memory would follow what was ever allocated. Here it is
 * collected when the heap has grown by a third since the last time, and once more when little is
 * allocated any more. Used by one thread.
 */
final class HeapTrimmer implements Runnable {
  /** Below this, the heap is left alone: staging buffers and what the JVM itself needs. */
  static final long LEAST_BYTES = 32L << 20;

  /** After this time without a collection, little is allocated. */
  private static final int QUIET_MILLIS = 30_000;

  /** What a collection must promise to free when little is allocated. */
  static final long LEAST_FREED_BYTES = 8L << 20;

  private final Heap heap;
  private long aliveBytes;

  /** What was in use after the last collection because little was allocated. */
  private long quietBytes;

  private volatile boolean hurries;

  /** The heap of a JVM. */
  interface Heap {
    /** Returns how many bytes are in use, whether they are alive or not. */
    long usedBytes();

    /** Collects all of it. */
    void collect();
  }

  HeapTrimmer(Heap heap) {
    this.heap = heap;
  }

  /** Trims the heap of this process until it is told to end. */
  static HeapTrimmer start() {
    HeapTrimmer trimmer = new HeapTrimmer(new OwnHeap());
    Thread.ofPlatform().name("heap-trimmer").daemon(true).start(trimmer);
    return trimmer;
  }

  /**
   * From now on, lets the heap grow by half before it is collected, and to twice {@link
   * #LEAST_BYTES} in any case: a collection stops all for a tenth of a second, and what is left to
   * be delivered waits. May be called from any thread.
   */
  void hurry() {
    hurries = true;
  }

  @Override
  public void run() {
    try {
      while (true) {
        if (awaitCollection(QUIET_MILLIS)) {
          collected();
        } else {
          quiet();
          var _ = awaitCollection(0); // Until then, nothing changes.
          collected();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Only a test does that.
    }
  }

  /**
   * Waits for the next collection, whichever it is: then what is in use is old or alive.
   *
   * @param mostMillis how long to wait; 0 for as long as it takes
   * @return whether there was one
   */
  private static boolean awaitCollection(int mostMillis) throws InterruptedException {
    ReferenceQueue<Object> collected = new ReferenceQueue<>();
    WeakReference<Object> witness = new WeakReference<>(new Object(), collected);
    try {
      return collected.remove(mostMillis) != null;
    } finally {
      Reference.reachabilityFence(witness);
    }
  }

  /** Looks at the heap after a collection of the young generation. */
  void collected() {
    if (heap.usedBytes() >= limitBytes()) {
      collect();
    }
  }

  private long limitBytes() {
    return hurries
        ? Math.max(2 * LEAST_BYTES, aliveBytes + aliveBytes / 2)
        : Math.max(LEAST_BYTES, aliveBytes + aliveBytes / 3);
  }

  /**
   * Looks at the heap when little is allocated. What lived for some seconds is old and dead then,
   * and nobody uses the staging buffers.
   */
  void quiet() {
    if (!hurries && heap.usedBytes() - quietBytes >= LEAST_FREED_BYTES) {
      collect();
      quietBytes = heap.usedBytes();
    }
  }

  private void collect() {
    heap.collect();
    aliveBytes = heap.usedBytes();
  }

  private static final class OwnHeap implements Heap {
    private final Runtime runtime = Runtime.getRuntime();

    @Override
    public long usedBytes() {
      return runtime.totalMemory() - runtime.freeMemory();
    }

    @Override
    public void collect() {
      System.gc();
    }
  }
}
