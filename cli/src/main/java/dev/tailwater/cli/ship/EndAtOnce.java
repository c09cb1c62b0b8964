package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.drain.DrainReport;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Ends the process at the second signal, whatever it is doing. What is durable is checkpointed by
 * then or found at the destination; nothing needs to be closed. Thread-safe.
 */
final class EndAtOnce {
  private final StopSignals signals;
  private final LongSupplier atRiskBytes;
  private final Surroundings surroundings;
  private final IntConsumer halt;
  private volatile Optional<DrainReport> report = Optional.empty();

  /**
   * @param atRiskBytes what the agent knows of
   * @param halt ends the process with an exit code
   */
  EndAtOnce(
      StopSignals signals, LongSupplier atRiskBytes, Surroundings surroundings, IntConsumer halt) {
    this.signals = signals;
    this.atRiskBytes = atRiskBytes;
    this.surroundings = surroundings;
    this.halt = halt;
  }

  /** Begins to wait for the second signal. */
  void begin() {
    // No virtual thread: whatever hangs may hold all those that carry them.
    Thread.ofPlatform().name("second-signal").daemon(true).start(this::atSecondSignal);
  }

  /** Reading has stopped for ever, and this came of it. */
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
    Optional<DrainReport> known = report;
    // Only a drain knows what was written up to now, and what could not be opened.
    boolean complete = known.isPresent() && known.get().isComplete();
    try {
      say("stopped at once, " + (known.isPresent() ? outcome(complete) : lastSeen()));
    } finally {
      halt.accept((complete ? ExitCode.DONE : ExitCode.PARTIAL).number());
    }
  }

  private static String outcome(boolean complete) {
    return complete
        ? "everything is delivered"
        : "not everything is delivered; the next start goes on there";
  }

  private String lastSeen() {
    try {
      return atRiskBytes.getAsLong()
          + " bytes were not delivered when last looked; the next start goes on there";
    } catch (RuntimeException e) {
      return "what is not delivered could not be counted (" + e + "); the next start goes on there";
    }
  }

  private void say(String message) {
    surroundings.err().println("tailwater: " + Printable.text(message));
  }
}
