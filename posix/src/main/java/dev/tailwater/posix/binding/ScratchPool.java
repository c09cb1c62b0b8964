package dev.tailwater.posix.binding;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Native memory for calls, so that a call allocates none. A thread takes what lies in the slot of
 * its id, or makes a new one; nobody ever waits. Not a thread-local: a virtual thread would leave
 * its own behind with every task.
 */
public final class ScratchPool {
  private static final int SLOTS = 32;
  private static final int TRIES = 4;

  private final AtomicReferenceArray<Scratch> slots = new AtomicReferenceArray<>(SLOTS);

  /** Memory that nobody else has until it is closed. */
  public Scratch acquire() {
    int home = home();
    for (int i = 0; i < TRIES; i++) {
      Scratch free = slots.getAndSet((home + i) % SLOTS, null);
      if (free != null) {
        return free;
      }
    }
    return new Scratch(this);
  }

  void release(Scratch scratch) {
    int home = home();
    for (int i = 0; i < TRIES; i++) {
      if (slots.compareAndSet((home + i) % SLOTS, null, scratch)) {
        return;
      }
    }
    // More calls at once than slots near here: the garbage collector frees this one.
  }

  private static int home() {
    return (int) (Thread.currentThread().threadId() % SLOTS);
  }
}
