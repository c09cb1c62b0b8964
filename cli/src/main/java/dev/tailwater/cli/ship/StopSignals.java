package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.Surroundings;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Hears SIGTERM and SIGINT (signal(7)): the first asks for a drain, the second for an end at once.
 * SIGHUP asks for neither. Thread-safe.
 *
 * <p>A shutdown hook would not do: a JVM that is shutting down no longer hears a second signal, and
 * cannot choose its exit code. The one other way is {@code sun.misc.Signal}, which {@code
 * jdk.unsupported} opens to everybody; it is called by name, since every mention in the source is a
 * warning that cannot be answered.
 */
public final class StopSignals {
  private static final String[] NAMES = {"TERM", "INT"};

  /** What a closed terminal sends, and what asks other programs to read their settings again. */
  private static final String HANGUP = "HUP";

  private static final String HANGUP_MESSAGE =
      "tailwater: SIGHUP: the agent goes on as it is, and cannot read its configuration again"
          + " without a restart (said once)";

  private final CompletableFuture<Long> first = new CompletableFuture<>();
  private final CountDownLatch second = new CountDownLatch(2);

  /** Hears nothing by itself. */
  StopSignals() {}

  /**
   * Begins to listen, for the rest of the process.
   *
   * @param surroundings told at the first SIGHUP that it changes nothing
   */
  public static StopSignals listen(Surroundings surroundings) {
    StopSignals signals = new StopSignals();
    for (String name : NAMES) {
      handle(name, signals::arrived);
    }
    AtomicBoolean told = new AtomicBoolean();
    handle(
        HANGUP,
        () -> {
          if (told.compareAndSet(false, true)) {
            surroundings.err().println(HANGUP_MESSAGE);
          }
        });
    return signals;
  }

  /** Sends this process a signal, such as {@code TERM}. No program for that need be installed. */
  public static void raise(String name) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      signal.getMethod("raise", signal).invoke(null, named(name));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM does not let programs send signals", e);
    }
  }

  private static void handle(String name, Runnable action) {
    try {
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ear =
          Proxy.newProxyInstance(
              StopSignals.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, args) -> {
                if (method.getDeclaringClass() == Object.class) {
                  return method.invoke(action, args);
                }
                action.run();
                return null;
              });
      Class<?> signal = Class.forName("sun.misc.Signal");
      signal.getMethod("handle", signal, handler).invoke(null, named(name), ear);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM does not let programs hear signals", e);
    }
  }

  private static Object named(String name) throws ReflectiveOperationException {
    return Class.forName("sun.misc.Signal").getConstructor(String.class).newInstance(name);
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
