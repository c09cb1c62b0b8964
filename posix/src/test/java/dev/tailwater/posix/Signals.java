package dev.tailwater.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.util.Arrays;

/** Interrupts system calls of one thread, as a signal handler of a profiler does. */
final class Signals {
  /**
   * SIGUSR2: HotSpot has a handler for it, by which it suspends threads to look at them, and which
   * does nothing when nobody asked for that. poll(2) fails with EINTR after any handler.
   */
  private static final int SIGNAL = 12;

  private Signals() {}

  /** The kernel's id of the calling thread. */
  static int currentThread() throws Exception {
    return call("gettid");
  }

  static void interrupt(int threadId) throws Exception {
    call("tgkill", Math.toIntExact(ProcessHandle.current().pid()), threadId, SIGNAL);
  }

  @SuppressWarnings("restricted") // functions that the product itself does not need
  private static int call(String function, Integer... arguments) throws Exception {
    MemoryLayout[] layouts = new MemoryLayout[arguments.length];
    Arrays.fill(layouts, JAVA_INT);
    Linker linker = Linker.nativeLinker();
    try {
      return (int)
          linker
              .downcallHandle(
                  linker.defaultLookup().findOrThrow(function),
                  FunctionDescriptor.of(JAVA_INT, layouts))
              .invokeWithArguments((Object[]) arguments);
    } catch (Throwable e) {
      throw new IllegalStateException(function, e);
    }
  }
}
