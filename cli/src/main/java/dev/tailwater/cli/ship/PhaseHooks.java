package dev.tailwater.cli.ship;

import dev.tailwater.delivery.drain.DrainListener;
import dev.tailwater.delivery.drain.DrainPhase;
import dev.tailwater.delivery.hook.HookMoment;
import dev.tailwater.delivery.hook.Hooks;
import java.time.Duration;
import java.util.Optional;

/**
 * Runs each hook once, however many drains follow each other on the way down: one for a notice, one
 * for an earlier deadline, one for a signal. Thread-safe.
 */
final class PhaseHooks {
  private final Hooks hooks;
  private DrainPhase phase = DrainPhase.STEADY;
  private boolean safe;
  private boolean ends;
  private String reason = "";

  PhaseHooks(Hooks hooks) {
    this.hooks = hooks;
  }

  /** For a drain, and why it is made. */
  DrainListener listener(String why) {
    return (entered, left) -> {
      // That a drain was cancelled does not mean that all is well: there may be another one now.
      if (entered != DrainPhase.STEADY) {
        entered(entered, left, why);
      }
    };
  }

  private synchronized void entered(DrainPhase entered, Optional<Duration> left, String why) {
    if (entered.compareTo(phase) > 0) {
      phase = entered;
      reason = why;
      hooks.run(
          entered == DrainPhase.HURRY ? HookMoment.HURRY : HookMoment.LAST_GASP, left, reason);
    }
  }

  /** Nothing is at risk for the first time. */
  synchronized void safe(Optional<Duration> left) {
    if (!safe) {
      safe = true;
      hooks.run(HookMoment.SAFE, left, reason);
    }
  }

  /** The agent was told to stop: whatever becomes of notices, nothing goes on as before. */
  synchronized void end() {
    ends = true;
  }

  /** Everything goes on as before, if it did not anyway and the agent does not end. */
  synchronized void steady() {
    if (phase == DrainPhase.HURRY && !ends) {
      phase = DrainPhase.STEADY;
      safe = false;
      hooks.run(HookMoment.STEADY, Optional.empty(), reason);
      reason = "";
    }
  }
}
