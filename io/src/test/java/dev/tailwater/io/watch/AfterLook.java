package dev.tailwater.io.watch;

import dev.tailwater.io.WrappedCalls;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/** Real calls, after one of which something happens. */
final class AfterLook {
  private AfterLook() {}

  /** What happens after the call. */
  @FunctionalInterface
  interface Event {
    void happen() throws IOException;
  }

  /** Returns calls after whose first successful statx of a name the event happens. */
  static FileCalls wrap(FileCalls real, PosixPath name, Event event) {
    AtomicBoolean happened = new AtomicBoolean();
    return WrappedCalls.of(
        real,
        (method, arguments, call) -> {
          Object result = call.make();
          boolean isLook =
              method.getName().equals("statx") && Arrays.asList(arguments).contains(name);
          if (isLook && happened.compareAndSet(false, true)) {
            event.happen();
          }
          return result;
        });
  }
}
