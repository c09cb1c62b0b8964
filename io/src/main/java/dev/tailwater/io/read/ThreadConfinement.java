package dev.tailwater.io.read;

import java.lang.foreign.MemorySegment;

/** The check that the owning thread closes a view. */
final class ThreadConfinement {
  private ThreadConfinement() {}

  /** Throws {@link WrongThreadException} for another thread, before a close could be half done. */
  static void check(MemorySegment bytes, FileView view) {
    if (!bytes.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException(
          view + " belongs to another thread; ask for one with sharedView()");
    }
  }
}
