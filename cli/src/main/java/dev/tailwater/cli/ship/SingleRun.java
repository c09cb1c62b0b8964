package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.Agent;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.tempo.Tempo;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A run of an agent that delivers what is there, and ends. A signal gives it a deadline. For one
 * use.
 */
final class SingleRun {
  /** How long the run may take to notice that it has a deadline now. */
  private static final Duration TURN = Duration.ofMillis(500);

  private final Agent agent;
  private final MissingSources missing;
  private final ShipPlan plan;
  private final Surroundings surroundings;
  private final Duration patience;
  private final CompletableFuture<DrainReport> drained = new CompletableFuture<>();
  private final CompletableFuture<DrainReport> ended = new CompletableFuture<>();
  private final CompletableFuture<Integer> absent;
  private volatile int unmatched;

  /**
   * Creates a run.
   *
   * @param absent how many sources do not exist
   * @param patience how long merging may go without progress
   */
  SingleRun(
      Agent agent,
      MissingSources missing,
      CompletableFuture<Integer> absent,
      ShipPlan plan,
      Surroundings surroundings,
      Duration patience) {
    this.agent = agent;
    this.missing = missing;
    this.absent = absent;
    this.plan = plan;
    this.surroundings = surroundings;
    this.patience = patience;
  }

  /** Delivers, reports, and closes the agent if a signal has come. */
  ExitCode run(StopSignals signals, ForcedExit atOnce, long startedNanos)
      throws IOException, InterruptedException {
    // By itself: it may wait for long, and a signal must be heard all the same.
    Thread work = Thread.ofPlatform().name("once").daemon(true).start(this::deliver);
    CompletableFuture.anyOf(signals.first(), ended).exceptionally(_ -> null).join();
    DrainReport report = ended.isDone() ? report() : stop(work, signals.first().join());
    atOnce.drained(report);
    Duration took = Duration.ofNanos(System.nanoTime() - startedNanos);
    DrainSummary summary =
        new DrainSummary(
            WholeRun.report(report, agent.status().destinations(), took), signals.first().isDone());
    summary.print(surroundings.err());
    if (signals.first().isDone()) {
      ShutdownBudget budget = ShutdownBudget.of(plan.settings().drainDeadline());
      agent.close(remaining(signals.first().join(), budget.halting()));
    }
    return absent.getNow(0) + unmatched > 0 && summary.exitCode() == ExitCode.DONE
        ? ExitCode.PARTIAL
        : summary.exitCode();
  }

  private void deliver() {
    // While files are still being found: they need room.
    try (Tempo.Lease _ = agent.hurry()) {
      agent.awaitFirstScan();
      unmatched = missing.reportUnmatched(agent::hasFilesOf, "");
      missing.reportLinks(agent.leftOutLinks());
      missing.requireAny(absent.get() + unmatched);
      try (ShipProgress _ = ShipProgress.show(agent, TerminalProgress.of(surroundings, "ship"))) {
        drained.complete(agent.drain(Optional.empty()));
        agent.finishMerging(patience); // Where all runs are such, no later one would.
      }
      ended.complete(drained.join());
    } catch (InterruptedException | ExecutionException | IOException | RuntimeException | Error e) {
      ended.completeExceptionally(e); // It ends with its thread.
    }
  }

  private DrainReport report() throws IOException, InterruptedException {
    try {
      return ended.get();
    } catch (ExecutionException e) {
      switch (ended.exceptionNow()) {
        case IOException failure -> throw failure;
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        default -> throw new IllegalStateException(e);
      }
    }
  }

  /**
   * Ends with a deadline what has had none; a source that hangs may keep the thread from ending.
   */
  private DrainReport stop(Thread work, long toldNanos) throws InterruptedException {
    Duration time = plan.settings().drainDeadline();
    ShutdownBudget budget = ShutdownBudget.of(time);
    work.interrupt();
    work.join(earlier(TURN, time.dividedBy(10)));
    if (drained.isDone()) {
      return drained.join(); // Only merging was left.
    }
    long seconds = Math.round(remaining(toldNanos, Duration.ZERO).toMillis() / 1000.0);
    say("stopping, at most " + seconds + " s; " + StopSignals.AT_ONCE);
    return agent.drain(Optional.of(remaining(toldNanos, budget.closing())));
  }

  private static Duration earlier(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Returns how much is left of the time after a signal, without what is needed at its end. */
  private Duration remaining(long toldNanos, Duration reserved) {
    long endNanos = toldNanos + plan.settings().drainDeadline().minus(reserved).toNanos();
    return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
  }

  private void say(String message) {
    surroundings.err().println("tailwater: " + Printable.text(message));
  }
}
