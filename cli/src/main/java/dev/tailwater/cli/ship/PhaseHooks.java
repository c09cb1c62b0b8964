package dev.tailwater.cli.ship;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.drain.DrainListener;
import dev.tailwater.delivery.drain.DrainPhase;
import dev.tailwater.delivery.hook.HookMoment;
import dev.tailwater.delivery.hook.Hooks;
import java.time.Duration;
import java.util.Optional;

/**
 * The hooks of a whole shutdown: each is run once, however many drains follow each other, such as
 * one for a notice, one for an earlier deadline, and one for a signal. Thread-safe.
 */
final class PhaseHooks {
  private final Hooks hooks;

  @GuardedBy("this")
  private DrainPhase phase = DrainPhase.STEADY;

  @GuardedBy("this")
  private boolean safe;

  @GuardedBy("this")
  private boolean ends;

  @GuardedBy("this")
  private String reason = "";

  PhaseHooks(Hooks hooks) {
    this.hooks = hooks;
  }

  /** Returns the listener for a drain that is made for that reason. */
  DrainListener listener(String why) {
    return (entered, left) -> {
      // A cancelled drain may be followed by another one.
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

  /** Nothing is at risk; the hook is run the first time. */
  synchronized void safe(Optional<Duration> left) {
    if (!safe) {
      safe = true;
      hooks.run(HookMoment.SAFE, left, reason);
    }
  }

  /** The agent was told to stop: {@link #steady} does nothing from now on. */
  synchronized void end() {
    ends = true;
  }

  /** The agent ships as usual again, unless it was told to stop. */
  synchronized void steady() {
    if (phase == DrainPhase.HURRY && !ends) {
      phase = DrainPhase.STEADY;
      safe = false;
      hooks.run(HookMoment.STEADY, Optional.empty(), reason);
      reason = "";
    }
  }
}
