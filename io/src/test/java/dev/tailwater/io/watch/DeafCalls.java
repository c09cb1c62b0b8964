package dev.tailwater.io.watch;

import dev.tailwater.posix.FileCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** Real calls on which every event gets lost on its way. */
final class DeafCalls {
  private DeafCalls() {}

  static FileCalls wrap(FileCalls real, AtomicInteger lostReads) {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, method, arguments) -> {
              try {
                if (method.getName().equals("inotifyRead")) {
                  try (Arena arena = Arena.ofConfined()) {
                    MemorySegment lost = arena.allocate(64 * 1024);
                    while (real.inotifyRead((Integer) arguments[0], lost) > 0) {
                      lostReads.incrementAndGet();
                    }
                  }
                  return 0;
                }
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
  }
}
