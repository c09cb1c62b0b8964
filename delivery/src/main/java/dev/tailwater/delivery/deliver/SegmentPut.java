package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.delivery.measure.UplinkMeter;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Puts segments, and finds out what an object holds whose name was taken: its range is durable only
 * if that is what was to be put. Thread-safe.
 */
final class SegmentPut {
  private static final String HINT =
      "These bytes are not in the archive and stay at risk. See whether another machine runs an"
          + " agent of the same name, as a copy of this one would, and give it another name; or, if"
          + " 'tailwater verify' calls the object damaged, remove it, and it is delivered again.";

  private final Destination destination;
  private final Inventory inventory;
  private final Retrier retrier;
  private final UplinkMeter uplink;

  SegmentPut(Destination destination, Retrier retrier, UplinkMeter uplink) {
    this.destination = destination;
    this.inventory = new Inventory(destination);
    this.retrier = retrier;
    this.uplink = uplink;
  }

  /** What there is under the segment's name after a put. */
  enum Outcome {
    /** These bytes: put now, or before, when an answer was lost. */
    OWN,
    /** An object that cannot be read now; as a rule these bytes, since the name tells the range. */
    UNREAD
  }

  /** Puts it again and again until it is durable; empty when it is given up. */
  Optional<Outcome> putDurably(SealedSegment segment) throws InterruptedException {
    Optional<Optional<Outcome>> put =
        retrier.retry("destination " + destination.uri(), () -> put(segment));
    if (put.isEmpty() || put.get().isPresent()) {
      return put.flatMap(outcome -> outcome);
    }
    // A subject of its own, as the destination works for everything else.
    return retrier.retry(
        segment.key(), () -> put(segment).orElseThrow(() -> refusal(segment.key())));
  }

  private PermanentDestinationException refusal(String key) {
    return new PermanentDestinationException(
        destination.uri(), "put", key, "there is an object that has other bytes", HINT);
  }

  /** Empty when the name belongs to other bytes. */
  private Optional<Outcome> put(SealedSegment segment) throws DestinationException {
    if (send(segment) == PutResult.CREATED) {
      return Optional.of(Outcome.OWN);
    }
    if (!(ArchiveNames.parse(segment.key()).orElse(null) instanceof ArchiveObject.Segment name)) {
      return Optional.of(Outcome.UNREAD);
    }
    try {
      return Ownership.isOwn(inventory, name, segment.rawCrc32c())
          ? Optional.of(Outcome.OWN)
          : Optional.empty();
    } catch (NoSuchObjectException e) {
      throw new TransientDestinationException(
          destination.uri(), "put", segment.key(), "it was there and is gone", e.hint(), e);
    } catch (IOException e) {
      return Optional.of(Outcome.UNREAD);
    }
  }

  private PutResult send(SealedSegment segment) throws DestinationException {
    long arrivedBytes = 0;
    uplink.begin();
    try {
      PutResult result =
          destination.putSegment(
              segment.key(),
              ByteBuffer.wrap(segment.staging(), segment.from(), segment.lengthBytes()));
      arrivedBytes = segment.lengthBytes();
      return result;
    } finally {
      uplink.end(arrivedBytes);
    }
  }
}
