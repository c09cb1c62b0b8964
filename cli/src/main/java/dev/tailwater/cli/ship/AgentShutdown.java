package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.Agent;
import dev.tailwater.delivery.drain.DrainListener;
import dev.tailwater.delivery.drain.DrainPhase;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.hook.Hooks;
import dev.tailwater.delivery.notice.ActiveNotice;
import dev.tailwater.delivery.notice.Notices;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The shutdown of a running agent, by a signal or with its machine. For one use. */
final class AgentShutdown {
  /** The longest time for hooks and acknowledgements after the drain. */
  private static final Duration AFTERWARDS = Duration.ofSeconds(10);

  private static final Duration ACKNOWLEDGING = Duration.ofSeconds(2);

  /** The pause between two looks at a running hook, whose programs may still write. */
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Agent agent;
  private final NoticeFollower departure;
  private final Hooks hooks;
  private final PhaseHooks phases;
  private final Notices notices;
  private final ShipPlan plan;
  private final Surroundings surroundings;

  AgentShutdown(
      Agent agent,
      NoticeFollower departure,
      Hooks hooks,
      PhaseHooks phases,
      Notices notices,
      ShipPlan plan,
      Surroundings surroundings) {
    this.agent = agent;
    this.departure = departure;
    this.hooks = hooks;
    this.phases = phases;
    this.notices = notices;
    this.plan = plan;
    this.surroundings = surroundings;
  }

  /** Returns what is done when the agent is to be shut down. */
  CompletableFuture<?> isDue(StopSignals signals) {
    // The first of the two counts, even if it fails.
    return CompletableFuture.anyOf(signals.first(), departure.ended().exceptionally(e -> null))
        .exceptionally(e -> null);
  }

  /** Waits for the shutdown, drains, and closes the agent. */
  ExitCode await(StopSignals signals, ForcedExit atOnce) throws IOException, InterruptedException {
    isDue(signals).join();
    long toldNanos = signals.first().getNow(System.nanoTime());
    ShutdownBudget endgame = ShutdownBudget.of(plan.settings().drainDeadline());
    long processNanos = toldNanos + plan.settings().drainDeadline().toNanos();
    long deadlineNanos = processNanos - endgame.closing().toNanos();
    DrainReport report;
    boolean failed = false;
    boolean machineGoes =
        departure.isGoingDown() || departure.hasGoneDown() || !signals.first().isDone();
    // After it has gone down nothing is read any more, so a drain would see nothing new.
    if (departure.hasGoneDown()) {
      say("the deadline of the notice is near, reading has stopped");
      report = departure.ended().join();
    } else if (signals.first().isDone()) {
      phases.end();
      long seconds = Math.round(left(processNanos).toMillis() / 1000.0);
      say("stopping, at most " + seconds + " s; " + StopSignals.AT_ONCE);
      report = drain(deadlineNanos, "told to stop by a signal");
    } else {
      // Nothing follows notices any more. A supervisor starts the agent again.
      failed = true;
      String why = String.valueOf(departure.ended().exceptionNow());
      say("problem: acting on notices has failed: " + why + "; the agent delivers and ends");
      phases.end();
      report = drain(deadlineNanos, "acting on notices has failed");
    }
    // A later notice would find nothing to drain, and would overwrite the record.
    departure.close();
    atOnce.drained(report);
    DrainSummary summary = new DrainSummary(report, true);
    summary.print(surroundings.err());
    finish(report, deadlineNanos, machineGoes);
    if (signals.first().isDone()) {
      agent.close(left(processNanos - endgame.halting().toNanos()));
    }
    return failed ? ExitCode.FAILED : summary.exitCode();
  }

  private DrainReport drain(long deadlineNanos, String why) throws InterruptedException {
    DrainListener listener = phases.listener(why);
    if (!departure.isGoingDown()) {
      // What programs write when the hook stops them must be delivered too. This takes at most half
      // of the time, whatever limit the hook has.
      listener.entered(DrainPhase.HURRY, Optional.of(left(deadlineNanos)));
      long hookNanos = deadlineNanos - left(deadlineNanos).toNanos() / 2;
      long deliveredBytes = 0;
      while (hooks.isRunning() && left(hookNanos).isPositive() && !departure.hasGoneDown()) {
        deliveredBytes += agent.drainAndGoOn(left(hookNanos)).totals().deliveredBytes();
        Thread.sleep(PAUSE);
      }
      if (deliveredBytes > 0) {
        say("delivered " + ByteSizes.forPeople(deliveredBytes) + " while the hook ran");
      }
    }
    return agent.drain(Optional.of(earliest(deadlineNanos)), listener);
  }

  /** Returns the earlier of the deadlines of a signal and of a notice. */
  private Duration earliest(long deadlineNanos) {
    Duration left = left(deadlineNanos);
    Optional<Duration> notice = termination().flatMap(heard -> heard.left(System.nanoTime()));
    Duration earlier = notice.filter(time -> time.compareTo(left) < 0).orElse(left);
    return earlier.isNegative() ? Duration.ZERO : earlier;
  }

  private Optional<ActiveNotice> termination() {
    return notices.forecast().termination();
  }

  private static Duration left(long deadlineNanos) {
    return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
  }

  /** Runs hooks and acknowledges notices after reading has stopped, while there is time. */
  private void finish(DrainReport report, long deadlineNanos, boolean machineGoes)
      throws InterruptedException {
    List<Thread> acknowledging = List.of();
    if (report.isComplete()) {
      phases.safe(Optional.of(earliest(deadlineNanos)));
      // The restart of an agent must not make the cloud take the machine away early.
      acknowledging = machineGoes ? notices.safe(true) : List.of();
    }
    Duration left = earliest(deadlineNanos);
    hooks.await(left.compareTo(AFTERWARDS) < 0 ? left : AFTERWARDS);
    Notices.await(acknowledging, ACKNOWLEDGING);
  }

  private void say(String message) {
    surroundings.err().println("tailwater: " + Printable.text(message));
  }
}
