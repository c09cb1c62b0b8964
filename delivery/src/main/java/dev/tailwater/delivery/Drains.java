package dev.tailwater.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.drain.Drain;
import dev.tailwater.delivery.drain.DrainContext;
import dev.tailwater.delivery.drain.DrainListener;
import dev.tailwater.delivery.drain.DrainOrder;
import dev.tailwater.delivery.drain.DrainPhase;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.delivery.time.Clocks;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The drains of an agent: any number after which it goes on, and a last one. Thread-safe. */
final class Drains {
  private final Supplier<DrainContext> stages;

  @GuardedBy("this")
  private Optional<GoingDown> goingDown = Optional.empty();

  private final Clocks clocks;
  private volatile DrainPhase phase = DrainPhase.STEADY;
  private volatile Optional<StatusReport.LastDrain> last = Optional.empty();

  /** A drain that others may join. */
  private record GoingDown(Drain drain, CompletableFuture<Optional<DrainReport>> outcome) {}

  Drains(Supplier<DrainContext> stages, Clocks clocks) {
    this.stages = stages;
    this.clocks = clocks;
  }

  /** Returns the phase of a drain after which the agent may end. */
  DrainPhase phase() {
    return phase;
  }

  /** Drains for the last time, or joins the drain of a machine that goes down. */
  DrainReport end(Optional<Duration> deadline, DrainListener listener) throws InterruptedException {
    long startNanos = clocks.nanos();
    Optional<GoingDown> joined;
    synchronized (this) {
      joined = goingDown;
      joined.ifPresent(going -> going.drain().endWhenSafe(deadline));
    }
    if (joined.isPresent()) {
      Optional<DrainReport> outcome = outcome(joined.get());
      if (outcome.isPresent()) {
        return outcome.get();
      }
    }
    // The notice was withdrawn, after a part of the time.
    Duration spent = Duration.ofNanos(clocks.nanos() - startNanos);
    Optional<Duration> left =
        deadline.map(time -> time.compareTo(spent) > 0 ? time.minus(spent) : Duration.ZERO);
    return noted(
            new Drain(
                stages.get(), DrainOrder.of(DrainOrder.End.WHEN_SAFE, telling(listener)), left))
        .orElseThrow();
  }

  private static Optional<DrainReport> outcome(GoingDown going) throws InterruptedException {
    try {
      return going.outcome().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("only completed with a value", e);
    }
  }

  /** Drains until the machine is gone. */
  Optional<DrainReport> goDown(
      Duration untilDeadline, DrainListener listener, Runnable safe, BooleanSupplier cancelled)
      throws InterruptedException {
    DrainOrder order =
        new DrainOrder(DrainOrder.End.AT_DEADLINE, telling(listener), safe, cancelled);
    GoingDown going =
        new GoingDown(
            new Drain(stages.get(), order, Optional.of(untilDeadline)), new CompletableFuture<>());
    synchronized (this) {
      if (goingDown.isPresent()) {
        throw new IllegalStateException("the agent is going down already");
      }
      goingDown = Optional.of(going);
    }
    Optional<DrainReport> outcome = Optional.empty();
    try {
      outcome = noted(going.drain());
      return outcome;
    } finally {
      if (outcome.isEmpty()) {
        synchronized (this) {
          goingDown = Optional.empty();
        }
      } // Otherwise reading has stopped, and whoever drains later gets this outcome too.
      going.outcome().complete(outcome);
    }
  }

  /** Returns how the latest drain has ended. */
  Optional<StatusReport.LastDrain> last() {
    return last;
  }

  private Optional<DrainReport> noted(Drain drain) throws InterruptedException {
    Optional<DrainReport> report = drain.run();
    report.ifPresent(
        r ->
            last =
                Optional.of(
                    new StatusReport.LastDrain(
                        clocks.millis(),
                        r.totals().took().toMillis(),
                        r.totals().deliveredBytes(),
                        r.leftBehindBytes())));
    return report;
  }

  private DrainListener telling(DrainListener listener) {
    return (entered, left) -> {
      phase = entered;
      listener.entered(entered, left);
    };
  }

  /** Drains and goes on. */
  DrainReport survive(Duration deadline) throws InterruptedException {
    return noted(
            new Drain(
                stages.get(),
                DrainOrder.of(DrainOrder.End.GOES_ON, DrainListener.NONE),
                Optional.of(deadline)))
        .orElseThrow();
  }
}
