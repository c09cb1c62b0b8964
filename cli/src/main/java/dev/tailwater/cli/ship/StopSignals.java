package dev.tailwater.cli.ship;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/**
 * Hears SIGTERM, SIGINT and SIGHUP (signal(7)): the first asks for a drain, the second for an end
 * at once. Thread-safe.
 *
 * <p>A shutdown hook would not do: a JVM that is shutting down no longer hears a second signal, and
 * cannot choose its exit code. The one other way is {@code sun.misc.Signal}, which {@code
 * jdk.unsupported} opens to everybody; it is called by name, since every mention in the source is a
 * warning that cannot be answered.
 */
public final class StopSignals {
  private static final String[] NAMES = {"TERM", "INT", "HUP"};

  private final CompletableFuture<Long> first = new CompletableFuture<>();
  private final CountDownLatch second = new CountDownLatch(2);

  /** Hears nothing by itself. */
  StopSignals() {}

  /** Begins to listen, for the rest of the process. */
  public static StopSignals listen() {
    StopSignals signals = new StopSignals();
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ear =
          Proxy.newProxyInstance(
              StopSignals.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, args) -> {
                if (method.getDeclaringClass() == Object.class) {
                  return method.invoke(signals, args);
                }
                signals.arrived();
                return null;
              });
      for (String name : NAMES) {
        Object one = signal.getConstructor(String.class).newInstance(name);
        signal.getMethod("handle", signal, handler).invoke(null, one, ear);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM does not let programs hear signals", e);
    }
    return signals;
  }

  /** A signal has come. */
  void arrived() {
    first.complete(System.nanoTime());
    second.countDown();
  }

  /** Completed by the first signal, with the time of {@link System#nanoTime}. */
  CompletableFuture<Long> first() {
    return first;
  }

  /** Waits for the second. */
  void awaitSecond() throws InterruptedException {
    second.await();
  }
}
