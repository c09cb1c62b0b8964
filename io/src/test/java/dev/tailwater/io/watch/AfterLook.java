package dev.tailwater.io.watch;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, method, arguments) -> {
              try {
                Object result = method.invoke(real, arguments);
                boolean isLook =
                    method.getName().equals("statx") && Arrays.asList(arguments).contains(name);
                if (isLook && happened.compareAndSet(false, true)) {
                  event.happen();
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
  }
}
