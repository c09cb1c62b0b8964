package dev.tailwater.delivery.drain;

/**
 * What an agent is at. Of {@link #STEADY} and {@link #HURRY} each can follow the other; nothing
 * follows the last gasp.
 */
public enum DrainPhase {
  /** Segments wait to become full or old, and politeness counts. */
  STEADY,
  /** Nothing waits: every file is read to its end and delivered as fast as it goes. */
  HURRY,
  /** Nothing is read any more: what is under way may arrive yet, and what is left is recorded. */
  LAST_GASP
}
