package dev.tailwater.delivery.drain;

import java.util.function.BooleanSupplier;

/**
 * What a drain is for.
 *
 * @param listener is told of the phases
 * @param safe called once, on the draining thread, when nothing is at risk for the first time
 * @param cancelled returns whether the reason for the drain is gone
 */
public record DrainOrder(
    End end, DrainListener listener, Runnable safe, BooleanSupplier cancelled) {

  /** What comes after the drain. */
  public enum End {
    /** The agent goes on in steady state. */
    GOES_ON,
    /** The agent is closed, as soon as nothing is at risk. */
    WHEN_SAFE,
    /** The machine goes away: what is written until then is delivered. */
    AT_DEADLINE
  }

  /** Creates an order that cannot be cancelled. */
  public static DrainOrder of(End end, DrainListener listener) {
    return new DrainOrder(end, listener, () -> {}, () -> false);
  }
}
