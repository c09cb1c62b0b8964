package dev.tailwater.io.read;

import java.lang.foreign.MemorySegment;

/** Whether a view is closed by the thread that it belongs to. */
final class OwnThread {
  private OwnThread() {}

  /** Before close, which would be half done otherwise. */
  static void check(MemorySegment bytes, FileView view) {
    if (!bytes.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException(
          view + " belongs to another thread; ask for one with sharedView()");
    }
  }
}
