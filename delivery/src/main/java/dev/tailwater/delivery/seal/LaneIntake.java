package dev.tailwater.delivery.seal;

import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.Delivery;
import dev.tailwater.delivery.deliver.HeldFrames;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.staging.StagingBuffer;
import dev.tailwater.delivery.staging.StagingQuota;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.delivery.tail.Position;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.value.FileStatus;
import java.util.Optional;

/**
 * The stages of one destination that take segments in, those included that another destination's
 * worker has sealed.
 *
 * @param queue of its tails
 * @param staging how many buffers it may hold
 */
public record LaneIntake(DueQueue queue, StagingQuota staging, Deliverer deliverer) {

  /**
   * A sealed segment, offered to every destination that needs just this range.
   *
   * @param frames kept for merging, if it is a short one
   * @param from the position at which it begins
   * @param read the checksums of its bytes
   * @param stated what its header says of the file
   * @param seen the file when reading began
   */
  record Offer(
      SealedSegment segment,
      Optional<HeldFrames> frames,
      StagingBuffer buffer,
      Position from,
      Marker markerAtEnd,
      BlockRun read,
      StreamProgress.Attributes stated,
      Seen seen,
      Times times) {
    /** Notes in a stream that the segment is handed over for what it says of the file. */
    void tell(StreamProgress stream) {
      stream.statesTime(seen.status().modificationTimeNanos(), times.sealedAtMillis());
      stream.states(stated.permissions(), stated.owner());
    }
  }

  /**
   * What was seen of a file, and when that was.
   *
   * @param isOverwritten whether the file was overwritten since, before all of the range was read
   */
  record Seen(FileStatus status, long atNanos, boolean isOverwritten) {}

  /**
   * The times of a segment.
   *
   * @param sinceNanos when the first of its bytes was seen in the file
   * @param sealedAtMillis what its header says of that
   */
  record Times(long sinceNanos, long dueNanos, long sealedAtMillis) {}

  /** Delivers another destination's segment here too, if the tail is in step and there is room. */
  void take(Tail tail, Offer offer) {
    if (queue.isClosed() || !staging.tryShare(offer.buffer())) {
      return;
    }
    long sinceNanos = tail.work().unreadSinceNanos().orElse(offer.times().sinceNanos());
    try (Deliverer.Announcement _ =
        deliverer.announce(tail.stream(), offer.segment().range(), sinceNanos)) {
      follow(tail, offer, sinceNanos);
    }
  }

  private void follow(Tail tail, Offer offer, long sinceNanos) {
    SealedSegment segment = offer.segment();
    Optional<StreamProgress> stream =
        tail.follow(
            offer.from(),
            segment.range().endBytes(),
            offer.markerAtEnd(),
            offer.read(),
            offer.seen().status(),
            offer.seen().atNanos());
    if (stream.isEmpty()) {
      staging.release(offer.buffer());
      return;
    }
    offer.tell(stream.get());
    if (offer.seen().isOverwritten()) {
      tail.overwrittenWhileRead(segment.range().endBytes());
    }
    tail.scheduling().compressed(segment.range().lengthBytes(), segment.lengthBytes());
    deliverer.deliver(
        new Delivery(
            segment,
            offer.frames().map(HeldFrames::hold),
            stream.get(),
            offer.markerAtEnd(),
            sinceNanos,
            offer.times().dueNanos(),
            () -> staging.release(offer.buffer())));
    // As after a segment of its own: the archive may lack the stream's present name.
    deliverer.describe(stream.get());
    queue.scheduleAnew(tail);
  }
}
