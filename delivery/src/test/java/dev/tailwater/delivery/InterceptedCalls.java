package dev.tailwater.delivery;

import dev.tailwater.posix.FileCalls;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * File calls before each of which a test does something, such as making the caller wait. Injected
 * faults cannot do that, since they are decided one at a time.
 */
final class InterceptedCalls {
  private InterceptedCalls() {}

  /** An action on the caller's thread. */
  interface Before {
    void call(Method called) throws InterruptedException;
  }

  static FileCalls of(FileCalls real, Before before) {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (proxy, called, arguments) -> {
              before.call(called);
              try {
                return called.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Returns whether a sealing worker reads. */
  static boolean isReadOfAWorker(Method called) {
    return called.getName().startsWith("pread")
        && Thread.currentThread().getName().startsWith("seal-");
  }
}
