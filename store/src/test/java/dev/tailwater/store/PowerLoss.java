package dev.tailwater.store;

/** The simulated machine or process stops at a call; every later call throws it too. */
final class PowerLoss extends Error {
  private static final long serialVersionUID = 1L;

  PowerLoss(long callNumber) {
    super("stopped at call " + callNumber);
  }
}
