package dev.tailwater.io.watch;

import dev.tailwater.io.WrappedCalls;
import dev.tailwater.io.watch.event.EventMask;
import dev.tailwater.posix.FileCalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;

/** Real calls on which, once, all that fanotify has to tell is that its queue was full. */
final class FullQueue {
  private static final int EVENT_BYTES = 24;

  private FullQueue() {}

  static FileCalls wrap(FileCalls real, AtomicBoolean full) {
    return WrappedCalls.of(
        real,
        (method, arguments, call) -> {
          Object result = call.make();
          boolean events =
              method.getName().equals("fanotifyRead") && result instanceof Integer read && read > 0;
          if (!events || !full.getAndSet(false)) {
            return result;
          }
          MemorySegment target = (MemorySegment) arguments[1];
          while (call.make() instanceof Integer read && read > 0) {
            // Lost.
          }
          return overflow(target);
        });
  }

  private static int overflow(MemorySegment target) {
    target.set(ValueLayout.JAVA_INT, 0, EVENT_BYTES);
    target.set(ValueLayout.JAVA_BYTE, 4, (byte) 3);
    target.set(ValueLayout.JAVA_SHORT, 6, (short) EVENT_BYTES);
    target.set(ValueLayout.JAVA_LONG, 8, EventMask.OVERFLOW);
    target.set(ValueLayout.JAVA_INT, 16, -1);
    return EVENT_BYTES;
  }
}
