package dev.tailwater.delivery.watch;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.Checkpoint;
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
 * Streams from before this run that wait for their file to be found: from checkpoints, or, when the
 * local state is lost, from the destination's listing. Used by the watch thread only.
 */
public final class KnownStreams {
  private final String agent;
  private final Map<FileIdentity, StreamProgress> byIdentity = new HashMap<>();

  /** The same streams by what tells their files apart even on another device. */
  private final Map<FileIdentity, FileIdentity> anywhere = new HashMap<>();

  private final Map<StreamId, Found> atDestination = new HashMap<>();
  private final List<StreamProgress> ended = new ArrayList<>();

  private record Found(StreamId latest, Inventory.Holding holding) {}

  public KnownStreams(String agent) {
    this.agent = agent;
  }

  /** Takes checkpoints in; those of ended streams wait for nothing but their last delivery. */
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

  /** Takes in what the destination holds; of each file only the latest stream counts. */
  public void addHoldings(Map<StreamId, Inventory.Holding> holdings) {
    holdings.forEach(
        (id, holding) ->
            atDestination.merge(
                id.withEpoch(0),
                new Found(id, holding),
                (a, b) -> a.latest().epoch() > b.latest().epoch() ? a : b));
  }

  /** The stream that the file was at, if it is known. It waits no longer. */
  Optional<StreamProgress> claim(FileIdentity identity, PosixPath path) {
    Optional<StreamProgress> known = waitingFor(identity);
    if (known.isPresent()) {
      known.get().reopen();
      return known;
    }
    Found found = atDestination.remove(StreamId.of(agent, identity, 0));
    if (found == null) {
      return Optional.empty();
    }
    StreamProgress stream =
        StreamProgress.rediscover(
            identity,
            found.latest(),
            found.holding().birthPath(),
            found.holding().streamPrefix(),
            path);
    found.holding().ranges().forEach(stream::holds);
    return Optional.of(stream);
  }

  /** Of a file that is not known as it is, the device may be another than it was. */
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

  /** The stream's file is out of sight, but may come back. */
  void park(StreamProgress stream) {
    byIdentity.put(stream.identity(), stream);
  }

  /** Streams whose file was not found. */
  List<StreamProgress> waiting() {
    return List.copyOf(byIdentity.values());
  }

  /** Streams that ended in an earlier run. */
  public List<StreamProgress> ended() {
    return List.copyOf(ended);
  }

  void forget(StreamProgress stream) {
    byIdentity.remove(stream.identity());
  }
}
