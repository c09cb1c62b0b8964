package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.open.SegmentOpener;
import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.delivery.measure.UplinkMeter;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.staging.StagingPool;
import dev.tailwater.delivery.trust.ArchiveTrust;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * Puts segments. Where an object of that name exists already, it finds out what that holds: the
 * range is durable only if it holds the same bytes. Thread-safe.
 */
final class SegmentPut {
  private static final String HINT =
      "These bytes are not in the archive and stay at risk. See whether another machine runs an"
          + " agent of the same name, as a copy of this one would, and give it another name; or, if"
          + " 'tailwater verify' calls the object damaged, remove it, and it is delivered again.";

  private static final String GIVEN_UP_HINT =
      "These bytes are not in the archive and stay at risk until the agent is restarted: others wait"
          + " for such names already. Before that, see whether another machine runs an agent of the"
          + " same name, as a copy of this one would, and give it another name.";

  private final Destination destination;
  private final Inventory inventory;
  private final StatedContent content;
  private final Retrier retrier;
  private final UplinkMeter uplink;
  private final ArchiveTrust trust;
  private final TakenNames taken;

  /**
   * Creates puts to one destination.
   *
   * @param taken which segments wait where their name has other bytes
   * @param trust by whom an object must be signed that exists already
   */
  SegmentPut(
      Destination destination,
      Optional<ContentKey> contentKey,
      Problems problems,
      Retrier retrier,
      UplinkMeter uplink,
      TakenNames taken,
      ArchiveTrust trust) {
    this.taken = taken;
    this.trust = trust;
    this.destination = destination;
    this.inventory = new Inventory(destination);
    this.content = new StatedContent(inventory, contentKey, problems);
    this.retrier = retrier;
    this.uplink = uplink;
  }

  /** What an object under the segment's name is known to hold after a put. */
  enum Outcome {
    /** These bytes: put now, or by an earlier put whose answer was lost. */
    OWN,
    /** Unknown, since it may not be read; most likely these bytes, since it has the range. */
    UNREAD
  }

  /**
   * Puts a segment until it is durable; empty when that is given up.
   *
   * @param whenTaken is run once if an object of that name holds other bytes
   */
  Optional<Outcome> putDurably(SealedSegment segment, Runnable whenTaken)
      throws InterruptedException {
    Optional<Optional<Outcome>> put =
        retrier.retry("destination " + destination.uri(), () -> put(segment));
    if (put.isEmpty() || put.get().isPresent()) {
      return put.flatMap(outcome -> outcome);
    }
    whenTaken.run();
    return putWhenNameIsFree(segment);
  }

  private Optional<Outcome> putWhenNameIsFree(SealedSegment segment) throws InterruptedException {
    boolean isLarge = segment.staging().length > StagingPool.SMALL_BYTES;
    if (!taken.tryWait(isLarge)) {
      String subject = taken.isNamed() ? segment.key() : "segments at " + destination.uri();
      var _ = retrier.report(subject, refusal(segment, GIVEN_UP_HINT));
      return Optional.empty();
    }
    try {
      // A subject of its own, since the destination works for everything else.
      return retrier.retry(
          segment.key(), () -> put(segment).orElseThrow(() -> refusal(segment, HINT)));
    } finally {
      taken.end(isLarge);
    }
  }

  private PermanentDestinationException refusal(SealedSegment segment, String hint) {
    return new PermanentDestinationException(
        destination.uri(),
        "put",
        segment.key(),
        "there is an object that has other bytes, or bytes that cannot be compared or trusted",
        hint);
  }

  /**
   * Puts a segment once; empty when an object of that name holds other bytes or cannot be compared.
   */
  private Optional<Outcome> put(SealedSegment segment) throws DestinationException {
    if (send(segment) == PutResult.CREATED) {
      return Optional.of(Outcome.OWN);
    }
    if (!(ArchiveNames.parse(segment.key()).orElse(null) instanceof ArchiveObject.Segment name)) {
      return Optional.of(Outcome.UNREAD);
    }
    try {
      return isOwn(name, segment) ? Optional.of(Outcome.OWN) : Optional.empty();
    } catch (NoSuchObjectException e) {
      throw new TransientDestinationException(
          destination.uri(), "put", segment.key(), "it was there and is gone", e.hint(), e);
    } catch (DestinationException e) {
      if (!e.permanent()) {
        throw e; // In a moment it can be read: until then nobody knows whose bytes these are.
      }
      return Optional.of(Outcome.UNREAD);
    } catch (IOException e) {
      throw TransientDestinationException.whileReading(destination.uri(), segment.key(), e);
    }
  }

  private boolean isOwn(ArchiveObject.Segment name, SealedSegment segment) throws IOException {
    byte[] first = inventory.firstBytes(name);
    if (name.encrypted() && isBeginningOf(segment, first)) {
      return true; // No two objects have the same keys in their headers: it is this one.
    }
    Optional<ContentStanza> stated =
        content.comparable(name, new SegmentOpener().peekContent(name, first));
    return stated.isPresent()
        && content.matches(name, stated.get(), segment.rawCrc32c())
        && trust.of(name) == ArchiveTrust.Answer.TRUSTED;
  }

  private static boolean isBeginningOf(SealedSegment segment, byte[] first) {
    int from = segment.from();
    return first.length > 0
        && first.length <= segment.lengthBytes()
        && Arrays.equals(segment.staging(), from, from + first.length, first, 0, first.length);
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
