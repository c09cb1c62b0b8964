package dev.tailwater.cli.host;

import java.lang.reflect.Proxy;

/**
 * Handlers for signals (signal(7)). The only way is {@code sun.misc.Signal}, which {@code
 * jdk.unsupported} exports; it is called by reflection, because the compiler warns about each
 * mention, and the warning cannot be suppressed.
 */
public final class Signals {
  private Signals() {}

  /**
   * Begins to listen, for the rest of the process.
   *
   * @param heard called on a thread of its own whenever one of them comes
   * @param names without SIG
   */
  public static void listen(Runnable heard, String... names) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ear =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, args) -> {
                if (method.getDeclaringClass() == Object.class) {
                  return method.invoke(heard, args);
                }
                heard.run();
                return null;
              });
      for (String name : names) {
        signal.getMethod("handle", signal, handler).invoke(null, named(name), ear);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM does not let programs hear signals", e);
    }
  }

  /** Sends this process a signal, such as {@code TERM}, without another program. */
  public static void raise(String name) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      signal.getMethod("raise", signal).invoke(null, named(name));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM does not let programs send signals", e);
    }
  }

  private static Object named(String name) throws ReflectiveOperationException {
    return Class.forName("sun.misc.Signal").getConstructor(String.class).newInstance(name);
  }
}
