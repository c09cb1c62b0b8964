package dev.tailwater.delivery.worker;

/** A worker's pace, which is asked between two blocks of a segment. */
public interface Pace {
  /** Rests as long as politeness asks for; returns whether the segment may be continued. */
  boolean mayGoOn() throws InterruptedException;

  /** Returns the tails that the worker has claimed. */
  HeldTails held();

  /** Returns how long the worker has rested for others since its tail was claimed. */
  long restedNanos();
}
