package dev.tailwater.delivery.drain;

import java.time.Duration;
import java.util.Optional;

/** Is told of each transition of a drain, on the draining thread; must not block for long. */
@FunctionalInterface
public interface DrainListener {
  /** A listener that does nothing. */
  DrainListener NONE = (phase, left) -> {};

  /**
   * Called when the agent has entered a phase.
   *
   * @param left the time until the deadline; empty when there is none
   */
  void entered(DrainPhase phase, Optional<Duration> left);
}
