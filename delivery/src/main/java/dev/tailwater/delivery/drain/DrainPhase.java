package dev.tailwater.delivery.drain;

/**
 * The phase that an agent is in. {@link #STEADY} and {@link #HURRY} may follow each other; nothing
 * follows the last gasp.
 */
public enum DrainPhase {
  /** Bytes wait until they fill a segment or become old; other programs come first. */
  STEADY,
  /** Every file is read to its end and delivered as fast as possible. */
  HURRY,
  /** Reading has stopped: what is under way may still arrive, and what is left is recorded. */
  LAST_GASP
}
