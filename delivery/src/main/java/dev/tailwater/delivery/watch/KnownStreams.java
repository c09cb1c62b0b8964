package dev.tailwater.delivery.watch;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.Checkpoint;
import dev.tailwater.delivery.checkpoint.StreamOrigin;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The streams of earlier runs whose files have not been found yet: from checkpoints or, when the
 * local state is lost, from the destination's listing. Used by the watch thread only.
 */
public final class KnownStreams {
  private final String agent;
  private final Map<FileIdentity, StreamProgress> byIdentity = new HashMap<>();

  /** The same streams by an identity that holds even on another device. */
  private final Map<FileIdentity, FileIdentity> anywhere = new HashMap<>();

  private final Map<StreamId, Found> atDestination = new HashMap<>();
  private final List<StreamProgress> ended = new ArrayList<>();

  private record Found(StreamId latest, Inventory.Holding holding) {}

  public KnownStreams(String agent) {
    this.agent = agent;
  }

  /** Adds checkpoints; streams that have ended only await their last delivery. */
  public void addCheckpoints(Collection<Checkpoint> checkpoints) {
    for (Checkpoint checkpoint : checkpoints) {
      StreamProgress stream = StreamProgress.resume(checkpoint);
      if (checkpoint.ending().filter(e -> e.isFinal()).isPresent()) {
        ended.add(stream);
      } else {
        byIdentity.merge(
            checkpoint.identity(), stream, (a, b) -> a.id().epoch() > b.id().epoch() ? a : b);
        checkpoint.identity().anywhere().ifPresent(a -> anywhere.put(a, checkpoint.identity()));
      }
    }
  }

  /** Adds what the destination holds; of each file only the latest stream counts. */
  public void addHoldings(Map<StreamId, Inventory.Holding> holdings) {
    holdings.forEach(
        (id, holding) ->
            atDestination.merge(
                id.withEpoch(0),
                new Found(id, holding),
                (a, b) -> a.latest().epoch() > b.latest().epoch() ? a : b));
  }

  /** Removes and returns the stream that the file was at, if it is known. */
  Optional<StreamProgress> claim(FileIdentity identity, PosixPath path) {
    Optional<StreamProgress> known = waitingFor(identity);
    if (known.isPresent()) {
      known.get().reopen();
      return known;
    }
    // Most destinations need not be asked, and an id costs a hash.
    Found found =
        atDestination.isEmpty() ? null : atDestination.remove(StreamId.of(agent, identity, 0));
    if (found == null) {
      return Optional.empty();
    }
    StreamProgress stream =
        StreamProgress.rediscover(
            identity,
            new StreamOrigin(
                found.latest(), found.holding().birthPath(), found.holding().streamPrefix()),
            path);
    found.holding().tell(stream);
    return Optional.of(stream);
  }

  /** Finds a stream by the file's identity, or by the one that holds on another device. */
  private Optional<StreamProgress> waitingFor(FileIdentity identity) {
    Optional<StreamProgress> known = Optional.ofNullable(byIdentity.remove(identity));
    return known.or(
        () ->
            identity
                .anywhere()
                .map(anywhere::remove)
                .flatMap(before -> Optional.ofNullable(byIdentity.remove(before)))
                .map(stream -> StreamProgress.resume(stream.checkpoint().of(identity))));
  }

  /** Adds a stream whose file is out of sight, but may come back. */
  void park(StreamProgress stream) {
    byIdentity.put(stream.identity(), stream);
  }

  /** Returns the streams whose files have not been found. */
  List<StreamProgress> waiting() {
    return List.copyOf(byIdentity.values());
  }

  /** Returns the streams that ended in an earlier run. */
  public List<StreamProgress> ended() {
    return List.copyOf(ended);
  }

  void forget(StreamProgress stream) {
    byIdentity.remove(stream.identity());
  }
}
