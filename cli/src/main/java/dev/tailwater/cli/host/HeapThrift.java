package dev.tailwater.cli.host;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.function.LongSupplier;

/**
 * Collects the whole heap whenever a third has been added to what was alive. The serial collector
 * by itself prefers to grow: it collects the old objects only when the heap is at its limit, so
 * that a burst of short files leaves a heap of garbage that stays resident.
 *
 * <p>Nothing is asked regularly: the thread sleeps until a collection of young objects has cleared
 * a reference. For that thread alone, the limit apart.
 */
public final class HeapThrift {
  /** Below this there is little to gain. */
  private static final long FIRST_BYTES = 40L << 20;

  /** As much garbage is left alone at least, so that small heaps are not collected all the time. */
  private static final long STEP_BYTES = 12L << 20;

  private final LongSupplier usedBytes;
  private final Runnable collection;
  private long limitBytes = FIRST_BYTES;

  /**
   * Creates an observer of a heap.
   *
   * @param usedBytes how much of it is in use, garbage among it
   * @param collection collects all garbage
   */
  HeapThrift(LongSupplier usedBytes, Runnable collection) {
    this.usedBytes = usedBytes;
    this.collection = collection;
  }

  /** Begins to observe the heap of this JVM, until it ends. */
  public static void begin() {
    Runtime jvm = Runtime.getRuntime();
    HeapThrift thrift = new HeapThrift(() -> jvm.totalMemory() - jvm.freeMemory(), System::gc);
    Thread.ofPlatform().name("heap-thrift").daemon(true).start(thrift::run);
  }

  private void run() {
    ReferenceQueue<Object> cleared = new ReferenceQueue<>();
    try {
      while (true) {
        WeakReference<Object> youngObject = new WeakReference<>(new Object(), cleared);
        try {
          cleared.remove();
        } finally {
          Reference.reachabilityFence(youngObject); // One that is garbage tells nothing.
        }
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks at the heap, right after a collection of young objects. */
  void look() {
    if (usedBytes.getAsLong() < limitBytes) {
      return;
    }
    collection.run();
    long aliveBytes = usedBytes.getAsLong();
    limitBytes = Math.max(FIRST_BYTES, aliveBytes + Math.max(STEP_BYTES, aliveBytes / 3));
  }
}
