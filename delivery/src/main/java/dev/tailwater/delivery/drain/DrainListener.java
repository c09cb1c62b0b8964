package dev.tailwater.delivery.drain;

import java.time.Duration;
import java.util.Optional;

/** Hears of each transition of a drain, on the draining thread; must not block for long. */
@FunctionalInterface
public interface DrainListener {
  /** Who does not care. */
  DrainListener NONE = (phase, left) -> {};

  /**
   * The agent has entered a phase.
   *
   * @param left until the deadline; empty: there is none
   */
  void entered(DrainPhase phase, Optional<Duration> left);
}
