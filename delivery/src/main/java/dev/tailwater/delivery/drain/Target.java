package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailWork;

/**
 * How far one file must be durable. If the file turns out to be at another stream, since it was
 * truncated or since the destination says so, that stream must be durable as far as it was seen.
 * Used by the draining thread only.
 */
final class Target {
  private final Tail tail;
  private final DueQueue queue;
  private StreamProgress stream;
  private long untilBytes;
  private boolean doubtful;

  /** Whether a truncation that is found now may have happened before the target was set. */
  private boolean mayBeTruncated = true;

  /** Creates a target: all of the file that was seen by now. */
  Target(Tail tail, DueQueue queue) {
    this.tail = tail;
    this.queue = queue;
    this.doubtful = isDoubtful(tail, queue);
    TailWork.AtRisk now = tail.work().atRisk();
    this.stream = now.stream();
    this.untilBytes = now.sizeBytes();
  }

  /**
   * Returns whether it is unknown if the file's bytes are those of its stream. If it is known, they
   * are those of the stream that the tail names after this call.
   */
  static boolean isDoubtful(Tail tail, DueQueue queue) {
    // In this order: a worker takes the doubt up, settles it, and releases the tail.
    return tail.isStreamInDoubt() || queue.isClaimed(tail);
  }

  boolean isReached() {
    doubtful = doubtful && isDoubtful(tail, queue);
    StreamProgress now = tail.stream();
    boolean truncated = stream.ending().isPresent();
    if (now != stream && (mayBeTruncated || !truncated)) {
      // Until its beginning is compared, it may have been truncated again before the target was
      // set.
      mayBeTruncated = !truncated || !tail.isResumed();
      doubtful = isDoubtful(tail, queue);
      TailWork.AtRisk next = tail.work().atRisk();
      stream = next.stream();
      untilBytes = next.sizeBytes();
      now = stream;
    }
    long durableBytes = stream.durableBytes();
    if (doubtful && durableBytes <= untilBytes) {
      return false; // Only what was read after a comparison counts.
    }
    // As long as a stream that has ended is still the file's, the next one is about to begin.
    return durableBytes >= untilBytes || (stream.isComplete() && (now != stream || tail.isEnded()));
  }
}
