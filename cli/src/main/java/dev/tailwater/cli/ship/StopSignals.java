package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.Surroundings;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Hears SIGTERM and SIGINT (signal(7)): the first asks for a drain, a second one for an end at once.
 * SIGHUP asks for neither. Thread-safe.
 *
 * <p>Supervisors send more than one at a time, as timeout(1) does to a process and to its group, and
 * terminals send SIGINT to all processes of a job, of which some pass it on. So what comes within
 * {@link #SAME} of the first is the same signal; unless it is the second SIGINT that a person can
 * have typed.
 *
 * <p>A shutdown hook would not do: a JVM that is shutting down no longer hears a second signal, and
 * cannot choose its exit code. The one other way is {@code sun.misc.Signal}, which {@code
 * jdk.unsupported} opens to everybody; it is called by name, since every mention in the source is a
 * warning that cannot be answered.
 */
public final class StopSignals {
  /** What comes so soon after the first signal is the same one. */
  static final Duration SAME = Duration.ofSeconds(2);

  /** What a closed terminal sends, and what asks other programs to read their settings again. */
  private static final String HANGUP = "HUP";

  private static final String HANGUP_MESSAGE =
      "tailwater: SIGHUP: the agent goes on as it is, and cannot read its configuration again"
          + " without a restart (said once)";

  private static final String INTERRUPT = "INT";
  private static final String[] NAMES = {"TERM", INTERRUPT};

  /** Nobody types Ctrl-C twice in less. */
  private static final Duration SAME_KEY = Duration.ofMillis(100);

  private final LongSupplier nanoClock;
  private final CompletableFuture<Long> first = new CompletableFuture<>();
  private final CountDownLatch second = new CountDownLatch(1);
  private OptionalLong interruptedNanos = OptionalLong.empty();

  /**
   * Hears nothing by itself.
   *
   * @param nanoClock {@link System#nanoTime}, or what is as good for a test
   */
  StopSignals(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Begins to listen, for the rest of the process.
   *
   * @param surroundings told at the first SIGHUP that it changes nothing
   */
  public static StopSignals listen(Surroundings surroundings) {
    StopSignals signals = new StopSignals(System::nanoTime);
    for (String name : NAMES) {
      handle(name, () -> signals.arrived(name));
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

  /** A signal has come, by its name without SIG. */
  synchronized void arrived(String name) {
    long now = nanoClock.getAsLong();
    boolean isSecond = first.isDone() && now - first.join() >= SAME.toNanos();
    if (name.equals(INTERRUPT)) {
      isSecond |=
          interruptedNanos.isPresent()
              && now - interruptedNanos.getAsLong() >= SAME_KEY.toNanos();
      interruptedNanos =
          OptionalLong.of(interruptedNanos.isPresent() ? interruptedNanos.getAsLong() : now);
    }
    if (isSecond) {
      second.countDown();
    }
    first.complete(now);
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
