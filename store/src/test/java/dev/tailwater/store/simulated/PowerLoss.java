package dev.tailwater.store.simulated;

/** The simulated machine or process stops at a call; every later call throws it too. */
public final class PowerLoss extends Error {
  private static final long serialVersionUID = 1L;

  PowerLoss(long callNumber) {
    super("stopped at call " + callNumber);
  }
}
