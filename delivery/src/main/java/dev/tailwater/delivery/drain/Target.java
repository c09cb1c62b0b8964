package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.seal.DueQueue;
import dev.tailwater.delivery.tail.Tail;

/**
 * Of one file, how far it must be durable. If the file turns out to be at another stream, since it
 * was truncated, or since the destination says so, that stream must be durable as far as it was
 * seen. Used by the draining thread only.
 */
final class Target {
  private final Tail tail;
  private final DueQueue queue;
  private StreamProgress stream;
  private long untilBytes;
  private boolean doubtful;

  /** Whether a truncation that is found now may have been before the aim. */
  private boolean mayBeTruncated = true;

  /** All of the file that was seen by now. */
  Target(Tail tail, DueQueue queue) {
    this.tail = tail;
    this.queue = queue;
    this.doubtful = isDoubtful(tail, queue);
    this.stream = tail.stream();
    this.untilBytes = tail.observedBytes();
  }

  /**
   * Whether nobody knows if the file's bytes are those of its stream. If not, they are those of the
   * stream that the tail names after this.
   */
  static boolean isDoubtful(Tail tail, DueQueue queue) {
    // In this order: a worker takes the doubt up, settles it, and gives the tail back.
    return tail.isInDoubt() || queue.isClaimed(tail);
  }

  boolean isReached() {
    doubtful = doubtful && isDoubtful(tail, queue);
    StreamProgress now = tail.stream();
    boolean truncated = stream.ending().isPresent();
    if (now != stream && (mayBeTruncated || !truncated)) {
      // As long as its beginning is not compared, this may not be the last one before the aim.
      mayBeTruncated = !truncated || !tail.isResumed();
      doubtful = isDoubtful(tail, queue);
      stream = tail.stream();
      untilBytes = tail.observedBytes();
      now = stream;
    }
    long durableBytes = stream.durableBytes();
    if (doubtful && durableBytes <= untilBytes) {
      return false; // More is durable only when it was read after a comparison.
    }
    // While a stream that has ended is still the file's, the next one is about to begin.
    return durableBytes >= untilBytes || (stream.isComplete() && (now != stream || tail.isEnded()));
  }
}
