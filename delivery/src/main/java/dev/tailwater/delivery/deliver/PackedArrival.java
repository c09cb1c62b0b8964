package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.pack.PackStages;
import dev.tailwater.delivery.pack.PackedDelivery;
import dev.tailwater.delivery.receipt.Receipts;
import dev.tailwater.delivery.stream.Ending;
import dev.tailwater.delivery.stream.StreamProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Notes what became of packs: the checkpoints of all streams of a pack are saved together. Used by
 * one delivery thread at a time, and by a worker whose pack no thread can deliver.
 */
final class PackedArrival {
  private final CheckpointSaver checkpoints;
  private final StagedRanges staged;
  private final PackStages packs;
  private final DeliveryListener listener;
  private final Optional<Receipts> receipts;
  private final Saying saying;

  /** The groups of which a pack was given up: what follows in them could not be read. */
  private final Set<PackGroup> broken = ConcurrentHashMap.newKeySet();

  /** Is told what became of what packs were to say of streams. */
  interface Saying {
    void ended(StreamProgress stream, boolean arrived);
  }

  PackedArrival(
      CheckpointSaver checkpoints,
      StagedRanges staged,
      PackStages packs,
      DeliveryListener listener,
      Optional<Receipts> receipts,
      Saying saying) {
    this.saying = saying;
    this.checkpoints = checkpoints;
    this.staged = staged;
    this.packs = packs;
    this.listener = listener;
    this.receipts = receipts;
  }

  /** Returns whether an earlier pack of its group was given up. */
  boolean isGivenUp(PackedDelivery pack) {
    return broken.contains(group(pack));
  }

  private static PackGroup group(PackedDelivery pack) {
    return pack.pack().name().id().group();
  }

  /** Notes that the pack is durable. */
  void arrived(PackedDelivery pack) {
    for (PackedDelivery.Part part : pack.parts()) {
      part.stream().acknowledge(part.range(), part.markerAtEnd());
      staged.remove(new StagedRange(part.stream(), part.range()));
    }
    for (PackedDelivery.Revised range : pack.revised()) {
      range.stream().blocks().revised(range.read(), range.sinceNanos());
      staged.remove(new StagedRange(range.stream(), range.range()));
      if (range.stream().blocks().hasRewritten()) {
        listener.waiting(range.stream()); // The block has grown meanwhile.
      }
    }
    for (PackedDelivery.Said said : pack.said()) {
      said.stream().described(said.description());
    }
    receipts.ifPresent(all -> all.acknowledged(pack.pack().name().id()));
    Set<StreamProgress> streams = pack.streams();
    checkpoints.saveAll(streams);
    if (checkpoints.isSaved()) {
      packs.notes().saved(group(pack));
    }
    try {
      listener.delivered(pack);
    } finally {
      packs.facts().arrived(saidOf(pack));
      settle(streams);
      saidOf(pack).forEach(stream -> saying.ended(stream, true));
    }
  }

  private static List<StreamProgress> saidOf(PackedDelivery pack) {
    return pack.said().stream().map(PackedDelivery.Said::stream).toList();
  }

  /** Forgets the streams that are complete, and has more said of those with more news. */
  private void settle(Set<StreamProgress> streams) {
    List<StreamProgress> finished = new ArrayList<>();
    List<StreamProgress> complete = new ArrayList<>();
    for (StreamProgress stream : streams) {
      if (stream.isUndescribed()) {
        packs.facts().add(stream);
      } else if (stream.isToldComplete()) {
        complete.add(stream);
        if (stream.ending().filter(Ending::isFinal).isPresent()) {
          finished.add(stream);
        }
      }
    }
    if (!finished.isEmpty()) {
      checkpoints.forgetAll(finished);
    }
    complete.forEach(listener::completed);
  }

  /** Notes that the pack is given up: its bytes stay at risk. */
  void givenUp(PackedDelivery pack) {
    broken.add(group(pack));
    packs.groups().abandon(group(pack));
    packs.notes().givenUp();
    for (PackedDelivery.Revised range : pack.revised()) {
      range.stream().blocks().givenUp(range.read(), range.sinceNanos());
      staged.givenUp(new StagedRange(range.stream(), range.range()));
    }
    packs.facts().arrived(saidOf(pack));
    saidOf(pack).forEach(stream -> saying.ended(stream, false));
    listener.undelivered(pack);
  }
}
