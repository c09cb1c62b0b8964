package dev.tailwater.delivery.hang;

import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The slots of all threads that make calls on files below sources. Thread-safe. */
public final class CallSlots {
  private final Collection<CallSlot> all = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<CallSlot> ofThread = ThreadLocal.withInitial(this::add);

  private CallSlot add() {
    CallSlot slot = new CallSlot(Thread.currentThread());
    all.add(slot);
    return slot;
  }

  /** Returns the slot of the calling thread. */
  CallSlot ofThread() {
    return ofThread.get();
  }

  /** Returns the slots of the threads that live. */
  Collection<CallSlot> living() {
    all.removeIf(slot -> !slot.thread().isAlive());
    return all;
  }
}
