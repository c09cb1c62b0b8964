package dev.tailwater.io.watch;

import dev.tailwater.io.WrappedCalls;
import dev.tailwater.posix.FileCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/** Real calls on which every event gets lost on its way. */
final class DeafCalls {
  private DeafCalls() {}

  static FileCalls wrap(FileCalls real, AtomicInteger lostReads) {
    return WrappedCalls.of(
        real,
        (method, arguments, call) -> {
          if (!method.getName().equals("inotifyRead")) {
            return call.make();
          }
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment lost = arena.allocate(64 * 1024);
            while (real.inotifyRead((Integer) arguments[0], lost) > 0) {
              lostReads.incrementAndGet();
            }
          }
          return 0;
        });
  }
}
