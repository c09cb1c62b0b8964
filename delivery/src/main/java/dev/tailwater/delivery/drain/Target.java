package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.tail.Tail;

/** Of one file, how far it must be durable. Used by the draining thread only. */
final class Target {
  private final Tail tail;
  private StreamProgress stream;
  private long untilBytes;

  /** All of the file that was seen by now. */
  Target(Tail tail) {
    this.tail = tail;
    this.stream = tail.stream();
    this.untilBytes = tail.observedBytes();
  }

  boolean isReached() {
    StreamProgress now = tail.stream();
    if (now != stream && stream.ending().isEmpty()) {
      // It was a guess, and the destination has told meanwhile which stream it is.
      stream = now;
      untilBytes = tail.observedBytes();
    }
    return stream.durableBytes() >= untilBytes || stream.isComplete();
  }
}
