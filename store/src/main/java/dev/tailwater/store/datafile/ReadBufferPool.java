package dev.tailwater.store.datafile;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Read buffers that nobody uses at the moment. A thread takes what lies in the slot of its id, or
 * makes a new one; nobody ever waits. Not a thread-local: a virtual thread would leave its own
 * behind with every task.
 */
final class ReadBufferPool {
  private static final int SLOTS = 64;
  private static final int TRIES = 4;

  private final AtomicReferenceArray<ReadBuffer> slots = new AtomicReferenceArray<>(SLOTS);

  ReadBuffer take() {
    int home = home();
    for (int i = 0; i < TRIES; i++) {
      ReadBuffer free = slots.getAndSet((home + i) % SLOTS, null);
      if (free != null) {
        return free;
      }
    }
    return new ReadBuffer();
  }

  void giveBack(ReadBuffer buffer) {
    buffer.release();
    int home = home();
    for (int i = 0; i < TRIES; i++) {
      if (slots.compareAndSet((home + i) % SLOTS, null, buffer)) {
        return;
      }
    }
    // More reads at once than slots near here: the garbage collector frees this one.
  }

  private static int home() {
    return (int) (Thread.currentThread().threadId() % SLOTS);
  }
}
