package dev.tailwater.delivery;

import dev.tailwater.posix.FileCalls;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * File calls before each of which a test does something, such as to let the caller wait: injected
 * faults are decided one after the other, so they can hold nobody.
 */
final class InterceptedCalls {
  private InterceptedCalls() {}

  /** What is done on the caller's thread. */
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

  /** Whether one of the workers reads. */
  static boolean isReadOfAWorker(Method called) {
    return called.getName().startsWith("pread")
        && Thread.currentThread().getName().startsWith("seal-");
  }
}
