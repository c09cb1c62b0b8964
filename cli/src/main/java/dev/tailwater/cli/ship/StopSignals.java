package dev.tailwater.cli.ship;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.cli.host.Signals;
import dev.tailwater.cli.host.Surroundings;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * A listener for SIGTERM and SIGINT (signal(7)): the first asks for a drain, a second one for an
 * end at once. SIGHUP asks for neither. Thread-safe.
 *
 * <p>Supervisors send more than one at a time, as timeout(1) does to a process and to its group,
 * and terminals send SIGINT to all processes of a job, of which some pass it on. So a signal within
 * {@link #SAME} of the first is the same one, unless it is a second SIGINT that a person can have
 * typed.
 *
 * <p>A shutdown hook would not do: a JVM that is shutting down no longer hears a second signal, and
 * cannot choose its exit code.
 */
public final class StopSignals {
  /** A signal that comes so soon after the first one is the same signal. */
  static final Duration SAME = Duration.ofSeconds(2);

  /** What a person should know after the first signal. */
  static final String AT_ONCE =
      "another signal after " + SAME.toSeconds() + " s, or Ctrl-C again, stops at once";

  /** Sent by a terminal that is closed. Other programs read their settings again on it. */
  private static final String HANGUP = "HUP";

  private static final String HANGUP_MESSAGE =
      "tailwater: SIGHUP: the agent goes on as it is, and cannot read its configuration again"
          + " without a restart (said once)";

  private static final String INTERRUPT = "INT";
  private static final String[] NAMES = {"TERM", INTERRUPT};

  /** The shortest time in which a person types Ctrl-C twice. */
  private static final Duration SAME_KEY = Duration.ofMillis(100);

  private final LongSupplier nanoClock;
  private final CompletableFuture<Long> first = new CompletableFuture<>();
  private final CountDownLatch second = new CountDownLatch(1);

  @GuardedBy("this")
  private OptionalLong interruptedNanos = OptionalLong.empty();

  /**
   * Creates one that does not listen, for tests.
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
      Signals.listen(() -> signals.arrived(name), name);
    }
    AtomicBoolean told = new AtomicBoolean();
    Signals.listen(
        () -> {
          if (told.compareAndSet(false, true)) {
            surroundings.err().println(HANGUP_MESSAGE);
          }
        },
        HANGUP);
    return signals;
  }

  /** A signal has arrived; the name has no SIG. */
  synchronized void arrived(String name) {
    long now = nanoClock.getAsLong();
    boolean isSecond = first.isDone() && now - first.join() >= SAME.toNanos();
    if (name.equals(INTERRUPT)) {
      isSecond |=
          interruptedNanos.isPresent() && now - interruptedNanos.getAsLong() >= SAME_KEY.toNanos();
      interruptedNanos =
          OptionalLong.of(interruptedNanos.isPresent() ? interruptedNanos.getAsLong() : now);
    }
    if (isSecond) {
      second.countDown();
    }
    first.complete(now);
  }

  /** Completes at the first signal, with its time by {@link System#nanoTime}. */
  CompletableFuture<Long> first() {
    return first;
  }

  /** Waits for the second signal. */
  void awaitSecond() throws InterruptedException {
    second.await();
  }
}
