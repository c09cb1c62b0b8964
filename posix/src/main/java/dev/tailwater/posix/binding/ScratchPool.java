package dev.tailwater.posix.binding;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A pool of native memory for calls, so that a call does not allocate. A thread takes the memory in
 * the slot of its id, or creates new memory; it never waits. This is not a thread-local, because a
 * virtual thread would leave its own memory behind after every task.
 */
public final class ScratchPool {
  private static final int SLOTS = 32;
  private static final int TRIES = 4;

  private final AtomicReferenceArray<Scratch> slots = new AtomicReferenceArray<>(SLOTS);

  /** Returns memory that belongs to the caller alone until it is closed. */
  public Scratch acquire() {
    int home = home();
    for (int i = 0; i < TRIES; i++) {
      Scratch free = slots.getAndSet((home + i) % SLOTS, null);
      if (free != null) {
        return free;
      }
    }
    return new Scratch(this::release);
  }

  private void release(Scratch scratch) {
    int home = home();
    for (int i = 0; i < TRIES; i++) {
      if (slots.compareAndSet((home + i) % SLOTS, null, scratch)) {
        return;
      }
    }
    // More concurrent calls than slots to try: the garbage collector frees this memory.
  }

  private static int home() {
    return (int) (Thread.currentThread().threadId() % SLOTS);
  }
}
