package dev.tailwater.delivery.seal;

/** What a worker is asked between two blocks of a segment. */
interface Pace {
  /** Whether it may go on with this segment; rests before the answer, as long as it should. */
  boolean mayGoOn() throws InterruptedException;

  /** For how long it has rested for others since its segment was claimed. */
  long restedNanos();
}
