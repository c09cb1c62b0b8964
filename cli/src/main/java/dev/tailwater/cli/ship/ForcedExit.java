package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.drain.DrainReport;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Ends the process at the second signal, and at the deadline of the first, whatever it is doing.
 * Nothing needs to be closed: what is durable has a checkpoint, or the next start finds it at the
 * destination. Thread-safe.
 */
final class ForcedExit implements AutoCloseable {
  /** The least time that a drain has to report what is left, however near the deadline is. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  private static final String NOTHING = "nothing was delivered in this run";

  private final StopSignals signals;
  private final Duration drainDeadline;
  private final Surroundings surroundings;
  private final IntConsumer halt;

  /** Reaches zero when the agent runs, or could not be started. */
  private final CountDownLatch start = new CountDownLatch(1);

  /** Reaches zero when the agent has ended. */
  private final CountDownLatch end = new CountDownLatch(1);

  private volatile Optional<Supplier<OptionalLong>> atRiskBytes = Optional.empty();
  private volatile Optional<DrainReport> report = Optional.empty();

  private ForcedExit(
      StopSignals signals, Duration drainDeadline, Surroundings surroundings, IntConsumer halt) {
    this.signals = signals;
    this.drainDeadline = drainDeadline;
    this.surroundings = surroundings;
    this.halt = halt;
  }

  /**
   * Begins to wait for signals; to be called before the agent is started.
   *
   * @param drainDeadline how long the end may take after the first signal; a second is given in any
   *     case
   * @param halt ends the process with an exit code
   */
  static ForcedExit begin(
      StopSignals signals, Duration drainDeadline, Surroundings surroundings, IntConsumer halt) {
    ForcedExit atOnce = new ForcedExit(signals, drainDeadline, surroundings, halt);
    // No virtual threads: calls that hang may occupy all carrier threads.
    Thread.ofPlatform().name("second-signal").daemon(true).start(atOnce::atSecondSignal);
    Thread.ofPlatform().name("deadline").daemon(true).start(atOnce::atDeadline);
    return atOnce;
  }

  /**
   * The agent runs, and handles the first signal itself from now on.
   *
   * @param atRisk the bytes that it knows to be at risk; empty while it has not looked at all files
   */
  void started(Supplier<OptionalLong> atRisk) {
    atRiskBytes = Optional.of(atRisk);
    start.countDown();
  }

  /** The agent has drained, and reading has stopped for good. */
  void drained(DrainReport drained) {
    report = Optional.of(drained);
  }

  private void atSecondSignal() {
    try {
      signals.awaitSecond();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    stop("stopped at once, ");
  }

  private void atDeadline() {
    long toldNanos = signals.first().join();
    Duration time = drainDeadline.compareTo(LEAST) < 0 ? LEAST : drainDeadline;
    // A little earlier, because SIGKILL follows at the deadline.
    long haltNanos = toldNanos + time.minus(ShutdownBudget.of(time).halting()).toNanos();
    try {
      if (start.getCount() > 0) {
        say(
            "stopping when the start is over, at most "
                + drainDeadline.toSeconds()
                + " s; "
                + StopSignals.AT_ONCE);
      }
      if (!start.await(haltNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        end("stopped, since the start has not ended; " + NOTHING, ExitCode.PARTIAL);
      } else if (!end.await(haltNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        stop("stopped at the deadline, ");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stop(String why) {
    Optional<DrainReport> known = report;
    // Only the report of a drain tells what was written last, and what could not be opened.
    boolean complete = known.isPresent() && known.get().isComplete();
    String outcome = known.isPresent() ? outcome(complete) : lastSeen();
    end(why + outcome, complete ? ExitCode.DONE : ExitCode.PARTIAL);
  }

  private static String outcome(boolean complete) {
    return complete
        ? "everything is delivered"
        : "not everything is delivered; the next start goes on there";
  }

  private String lastSeen() {
    Optional<Supplier<OptionalLong>> known = atRiskBytes;
    if (known.isEmpty()) {
      return "the agent had not started; " + NOTHING;
    }
    try {
      OptionalLong bytes = known.get().get();
      if (bytes.isEmpty()) {
        return "what is not delivered is not known, since not every file was looked at;"
            + " the next start goes on there";
      }
      return Count.of(bytes.getAsLong(), "byte was", "bytes were")
          + " not delivered when last looked; the next start goes on there";
    } catch (RuntimeException e) {
      return "what is not delivered could not be counted (" + e + "); the next start goes on there";
    }
  }

  private void end(String message, ExitCode code) {
    try {
      say(message);
    } finally {
      halt.accept(code.number());
    }
  }

  private void say(String message) {
    surroundings.err().println("tailwater: " + Printable.text(message));
  }

  /** The agent has ended, or could not be started. */
  @Override
  public void close() {
    start.countDown();
    end.countDown();
  }
}
