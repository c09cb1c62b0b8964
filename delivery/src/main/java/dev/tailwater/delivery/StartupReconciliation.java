package dev.tailwater.delivery;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.CheckpointStore.PreviousRun;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.watch.KnownStreams;
import dev.tailwater.destination.DestinationException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is asked of a destination before anything is delivered to it: which streams it holds, when
 * the local state does not tell, and what arrived of streams that ended when the last run was
 * interrupted.
 */
final class StartupReconciliation {
  static final Duration FORGET_UNSEEN_AFTER = Duration.ofDays(30);

  private final String agent;
  private final Inventory inventory;
  private final CheckpointStore checkpoints;
  private final PreviousRun previous;
  private final KnownStreams known;
  private final boolean listsAll;

  /** What the destination tells. */
  record Answer(
      Map<StreamId, Inventory.Holding> holdings, Map<StreamProgress, List<ByteRange>> beyond) {

    /** Objects that a longer one supersedes: what was noted of them is lost with the state. */
    List<String> superseded() {
      return holdings.values().stream().flatMap(held -> held.superseded().stream()).toList();
    }
  }

  StartupReconciliation(
      String agent,
      Inventory inventory,
      CheckpointStore checkpoints,
      PreviousRun previous,
      KnownStreams known,
      long nowMillis)
      throws IOException {
    this.agent = agent;
    this.inventory = inventory;
    this.checkpoints = checkpoints;
    this.previous = previous;
    this.known = known;
    this.listsAll =
        previous == PreviousRun.NONE
            || checkpoints.lossSince(nowMillis - FORGET_UNSEEN_AFTER.toMillis());
  }

  /** Whether the destination must be asked at all. */
  boolean isNeeded() {
    return listsAll || (previous != PreviousRun.CLEAN && !known.ended().isEmpty());
  }

  Answer ask() throws DestinationException {
    Map<StreamId, Inventory.Holding> holdings = listsAll ? inventory.streams(agent) : Map.of();
    Map<StreamProgress, List<ByteRange>> beyond = new HashMap<>();
    if (previous != PreviousRun.CLEAN) {
      for (StreamProgress stream : known.ended()) {
        beyond.put(stream, inventory.segmentsBeyond(stream.streamPrefix(), stream.durableBytes()));
      }
    }
    return new Answer(holdings, beyond);
  }

  /** Notes if the destination holds what the local state did not know. */
  void noteLoss(Answer answer, long nowMillis) throws IOException {
    if (previous == PreviousRun.NONE && !answer.holdings().isEmpty()) {
      checkpoints.noteLoss(nowMillis);
    }
  }

  /**
   * Streams that ended before: what was read and did not arrive is lost, and the archive says so.
   */
  void settle(Answer answer, Deliverer deliverer) {
    for (StreamProgress stream : known.ended()) {
      answer.beyond().getOrDefault(stream, List.of()).forEach(stream::holds);
      if (stream.lostAfterReading().isPresent()) {
        stream.concedeLostBytes();
      }
      deliverer.describe(stream);
    }
  }
}
