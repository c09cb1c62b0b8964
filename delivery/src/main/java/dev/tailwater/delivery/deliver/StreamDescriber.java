package dev.tailwater.delivery.deliver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.record.GapJson;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.archive.record.StreamJson;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.receipt.Receipts;
import dev.tailwater.delivery.route.SmallObjects;
import dev.tailwater.delivery.stream.Description;
import dev.tailwater.delivery.stream.Ending;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Writes to the archive what it should say of a stream beside its segments: the stream record and
 * the gap records. Thread-safe.
 */
final class StreamDescriber {
  private final Destination destination;
  private final Retrier retrier;
  private final CheckpointSaver checkpoints;
  private final DeliveryListener listener;
  private final Problems problems;
  private final Optional<ObjectSigner> signer;
  private final Optional<Receipts> receipts;

  @GuardedBy("this")
  private final Set<StreamProgress> describing = new HashSet<>();

  StreamDescriber(
      Destination destination,
      Retrier retrier,
      CheckpointSaver checkpoints,
      DeliveryListener listener,
      Problems problems,
      Optional<ObjectSigner> signer,
      Optional<Receipts> receipts) {
    this.destination = destination;
    this.retrier = retrier;
    this.checkpoints = checkpoints;
    this.listener = listener;
    this.problems = problems;
    this.signer = signer;
    this.receipts = receipts;
  }

  /** What follows when a stream was described. */
  enum Next {
    /** Nothing. */
    SAID,
    /** It must be described once more, since a fact came up at the end. */
    ONCE_MORE,
    /** It is to be tried again when the destination works. */
    GIVEN_UP
  }

  /** Returns whether the caller is to {@link #describe} the stream; false when somebody does. */
  synchronized boolean begin(StreamProgress stream) {
    return describing.add(stream);
  }

  synchronized boolean isDescribing(StreamProgress stream) {
    return describing.contains(stream);
  }

  /** Notes that nobody describes the stream any more, and may {@link #begin} again. */
  synchronized void end(StreamProgress stream) {
    describing.remove(stream);
  }

  /**
   * Writes what the archive does not say yet of the stream, after {@link #begin}.
   *
   * @return what is to follow
   */
  Next describe(StreamProgress stream) throws InterruptedException {
    boolean written = false;
    try {
      written = writeAll(stream);
    } finally {
      end(stream);
    }
    if (!written) {
      return Next.GIVEN_UP;
    }
    // A fact may have come up between the last look and the line above.
    if (stream.undescribed().isPresent()) {
      return Next.ONCE_MORE;
    }
    completeIfTold(stream);
    return Next.SAID;
  }

  /**
   * Notes, if it is so, that the destination has all of a stream, and knows how it ended. One that
   * ends just now is described by whoever ends it, and is not to be forgotten before that.
   */
  void completeIfTold(StreamProgress stream) {
    if (!stream.isToldComplete()) {
      return;
    }
    if (stream.ending().filter(Ending::isFinal).isPresent()) {
      checkpoints.forgetAll(List.of(stream));
    }
    listener.completed(stream);
  }

  private OptionalLong put(String key, byte[] content) throws DestinationException {
    return SmallObjects.put(destination, problems, key, content, signer);
  }

  private boolean writeAll(StreamProgress stream) throws InterruptedException {
    for (Optional<Description> news = stream.undescribed();
        news.isPresent();
        news = stream.undescribed()) {
      Description description = news.get();
      String prefix = stream.streamPrefix();
      boolean written =
          retrier
              .retry(
                  "destination " + destination.uri(),
                  () -> {
                    for (GapRecord gap : description.gaps()) {
                      var _ = put(ArchiveNames.gap(prefix, gap.range()), GapJson.write(gap));
                      receipts.ifPresent(all -> all.acknowledged(prefix, gap.range()));
                    }
                    byte[] record = StreamJson.write(description.record());
                    OptionalLong signedAtMillis = put(ArchiveNames.streamObject(prefix), record);
                    signedAtMillis.ifPresent(
                        at -> receipts.ifPresent(all -> all.described(prefix, at)));
                    return true;
                  })
              .isPresent();
      if (!written) {
        return false;
      }
      stream.described(description);
      checkpoints.save(stream);
    }
    return true;
  }
}
