package dev.tailwater.delivery;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.CheckpointStore.PreviousRun;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.pack.PackStages;
import dev.tailwater.delivery.watch.KnownStreams;
import dev.tailwater.destination.DestinationException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reconciles the local state with what a destination holds, before anything is delivered to it: it
 * asks which streams there are when the local state is lost, and what has arrived of streams that
 * had ended when the last run was interrupted.
 */
final class StartupReconciliation {
  static final Duration FORGET_UNSEEN_AFTER = Duration.ofDays(30);

  private final String agent;
  private final Inventory inventory;
  private final PackStages packs;
  private final Optional<PackGroup> notedGroup;
  private final CheckpointStore checkpoints;
  private final PreviousRun previous;
  private final KnownStreams known;
  private final boolean listsAll;

  /** What the destination holds. */
  record Answer(
      Map<StreamId, Inventory.Holding> holdings,
      Map<StreamProgress, List<ByteRange>> beyond,
      List<String> supersededPacks) {

    /** Returns the keys of superseded objects that an earlier run did not remove. */
    List<String> superseded() {
      return Stream.concat(
              holdings.values().stream().flatMap(held -> held.superseded().stream()),
              supersededPacks.stream())
          .toList();
    }
  }

  StartupReconciliation(
      String agent,
      Inventory inventory,
      PackStages packs,
      CheckpointStore checkpoints,
      PreviousRun previous,
      KnownStreams known,
      long nowMillis)
      throws IOException {
    this.agent = agent;
    this.inventory = inventory;
    this.packs = packs;
    this.notedGroup = packs.notes().latest();
    this.checkpoints = checkpoints;
    this.previous = previous;
    this.known = known;
    this.listsAll =
        previous == PreviousRun.NONE
            || checkpoints.lossSince(nowMillis - FORGET_UNSEEN_AFTER.toMillis());
  }

  /** Returns whether the destination must be asked at all. */
  boolean isNeeded() {
    return listsAll
        || (previous != PreviousRun.CLEAN && (!known.ended().isEmpty() || notedGroup.isPresent()));
  }

  Answer ask() throws DestinationException {
    if (!listsAll && previous != PreviousRun.CLEAN && notedGroup.isPresent()) {
      packs.inventory().read(notedGroup);
    }
    Map<StreamId, Inventory.Holding> holdings = listsAll ? inventory.streams(agent) : Map.of();
    Map<StreamProgress, List<ByteRange>> beyond = new HashMap<>();
    if (previous != PreviousRun.CLEAN) {
      for (StreamProgress stream : known.ended()) {
        beyond.put(stream, inventory.segmentsBeyond(stream.streamPrefix(), stream.durableBytes()));
      }
    }
    return new Answer(holdings, beyond, packs.inventory().superseded());
  }

  /** Notes in the local state if the destination holds streams that it did not know. */
  void noteLoss(Answer answer, long nowMillis) throws IOException {
    if (previous == PreviousRun.NONE && !answer.holdings().isEmpty()) {
      checkpoints.noteLoss(nowMillis);
    }
  }

  /**
   * Settles streams that had ended: what was read and has not arrived is lost, and is recorded as a
   * gap.
   */
  void settle(Answer answer, Deliverer deliverer) {
    notedGroup.ifPresent(packs.groups()::known);
    packs.inventory().latest().ifPresent(packs.groups()::known);
    if (previous == PreviousRun.CLEAN || packs.inventory().all().isEmpty()) {
      packs.notes().complete();
    }
    for (StreamProgress stream : known.ended()) {
      answer.beyond().getOrDefault(stream, List.of()).forEach(stream::holds);
      if (stream.lostAfterReading().isPresent()) {
        stream.concedeLostBytes();
      }
      deliverer.describe(stream);
    }
  }
}
