package dev.tailwater.delivery.seal;

import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.Delivery;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.tail.Tail;
import java.util.List;

/**
 * Hands the segments that one destination's workers have sealed to its own deliverer, and to every
 * other destination that is in step. Thread-safe.
 *
 * @param own the destination whose workers seal
 * @param lanes of all destinations, in the order of their numbers; complete when the first worker
 *     starts
 */
public record SegmentHandover(LaneIntake own, List<LaneIntake> lanes, DeliveryCounters counters) {
  /** Moves the tails over the segment and delivers it. */
  void handOver(Tail tail, LaneIntake.Offer offer) {
    counters.sealed();
    SealedSegment segment = offer.segment();
    // The others first: the buffer is free when its last holder releases it; and if that fails,
    // this tail has not moved over bytes that nobody delivers for it.
    for (Tail other : tail.file().tails()) {
      if (other != tail) {
        lanes.get(other.lane()).take(other, offer);
      }
    }
    try (Deliverer.Announcement _ =
        own.deliverer()
            .announce(offer.from().stream(), segment.range(), offer.times().sinceNanos())) {
      moveAndDeliver(tail, offer);
    }
  }

  private void moveAndDeliver(Tail tail, LaneIntake.Offer offer) {
    SealedSegment segment = offer.segment();
    long endBytes = segment.range().endBytes();
    offer.tell(offer.from().stream());
    tail.scheduling().compressed(segment.range().lengthBytes(), segment.lengthBytes());
    tail.advance(
        endBytes,
        offer.markerAtEnd(),
        offer.read(),
        endBytes < offer.seen().status().sizeBytes(),
        offer.seen().atNanos());
    if (offer.seen().isOverwritten()) {
      tail.overwrittenWhileRead(endBytes);
    }
    own.deliverer()
        .deliver(
            new Delivery(
                segment,
                offer.frames(),
                offer.from().stream(),
                offer.markerAtEnd(),
                offer.times().sinceNanos(),
                offer.times().dueNanos(),
                () -> own.staging().release(offer.buffer())));
  }
}
