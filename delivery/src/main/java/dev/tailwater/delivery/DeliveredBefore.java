package dev.tailwater.delivery;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.LatestCheckpoints;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.pack.PackInventory;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.delivery.trust.ArchiveTrust;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far files were delivered to one destination before, as the state directory says, or else the
 * destination. Reads only.
 */
public final class DeliveredBefore {
  private final Lookup lookup;

  private interface Lookup {
    OptionalLong bytes(TailOpener.Opened file) throws IOException;
  }

  private DeliveredBefore(Lookup lookup) {
    this.lookup = lookup;
  }

  /** Returns what is known where nothing is: no file was delivered. */
  public static DeliveredBefore nothing() {
    return new DeliveredBefore(file -> OptionalLong.empty());
  }

  /**
   * Reads a state directory.
   *
   * @param destinationUri as the open destination has it
   * @return empty when no run has settled with the destination what it holds
   * @throws IOException when there is no state, when it is damaged, or when an agent has it open
   */
  public static Optional<DeliveredBefore> read(
      FileCalls calls, PosixPath stateDirectory, String destinationUri) throws IOException {
    return LatestCheckpoints.read(calls, stateDirectory, destinationUri)
        .map(DeliveredBefore::remembered);
  }

  private static DeliveredBefore remembered(LatestCheckpoints latest) {
    Map<FileIdentity, Checkpoint> known = byIdentity(latest);
    return new DeliveredBefore(
        file -> {
          Checkpoint checkpoint = known.get(file.identity());
          return checkpoint == null
              ? OptionalLong.empty()
              : OptionalLong.of(durableBytes(checkpoint, file.descriptor()));
        });
  }

  /**
   * Asks a destination what it holds of an agent, as an agent without state does at its start: it
   * reads packs, and looks at signatures. That agent compares contents too, and may find that a
   * file must be delivered again.
   *
   * @param config whose objects, and which of them count
   * @param nowMillis the time, which no epoch exceeds
   * @param listener is told what is there and does not count
   * @throws DestinationException when the destination does not answer, or holds packs that the
   *     agent could not read either
   */
  public static DeliveredBefore list(
      FileCalls calls,
      Destination destination,
      AgentConfig config,
      long nowMillis,
      ProblemListener listener)
      throws DestinationException {
    Problems problems = new Problems(listener, () -> nowMillis);
    AgentConfig.Segments made = config.segments();
    PackInventory packs =
        new PackInventory(
            destination,
            config.agent(),
            () -> made.contentCheck().keyOfEarlierPacks(calls, config.stateDirectory()),
            problems,
            new ArchiveTrust(
                made.signing().trust(calls, config.stateDirectory()), destination, problems));
    Map<StreamId, Inventory.Holding> held = Map.of();
    try {
      held = new Inventory(destination, Optional.of(packs)).streams(config.agent(), nowMillis);
    } catch (PermanentDestinationException e) {
      if (!beginsAnew(config, packs)) {
        throw e;
      }
    }
    if (beginsAnew(config, packs)) {
      LaneConnection.reportBegunAnew(problems);
      return nothing();
    }
    return listed(config.agent(), held);
  }

  /** Returns whether the key of the packs that are there is lost with the state. */
  private static boolean beginsAnew(AgentConfig config, PackInventory packs) {
    return config.segments().contentCheck().key().isEmpty() && packs.isOfAnotherKey();
  }

  private static DeliveredBefore listed(String agent, Map<StreamId, Inventory.Holding> held) {
    Map<String, Inventory.Holding> known = new HashMap<>();
    Map<String, Integer> epochs = new HashMap<>();
    held.forEach(
        (id, holding) -> {
          if (epochs.merge(id.withoutEpoch(), id.epoch(), Math::max) == id.epoch()) {
            known.put(id.withoutEpoch(), holding);
          }
        });
    return new DeliveredBefore(
        file -> {
          Inventory.Holding holding =
              known.get(StreamId.of(agent, file.identity(), 0).withoutEpoch());
          return holding == null || holding.isEmpty()
              ? OptionalLong.empty()
              : OptionalLong.of(fromBeginning(holding));
        });
  }

  /** Returns up to where the destination has every byte. */
  private static long fromBeginning(Inventory.Holding holding) {
    long end = 0;
    for (ByteRange range : holding.ranges()) {
      if (range.startBytes() > end) {
        return end;
      }
      end = Math.max(end, range.endBytes());
    }
    return end;
  }

  /** Returns how many bytes of a file were delivered; empty: the file is not known there. */
  OptionalLong bytes(TailOpener.Opened file) throws IOException {
    return lookup.bytes(file);
  }

  /** Returns the checkpoint of each file: of several, the one after the last truncation. */
  static Map<FileIdentity, Checkpoint> byIdentity(LatestCheckpoints destination) {
    Map<FileIdentity, Checkpoint> latest = new HashMap<>();
    for (Checkpoint checkpoint : destination.checkpoints()) {
      latest.merge(
          checkpoint.identity(),
          checkpoint,
          (a, b) -> a.origin().id().epoch() > b.origin().id().epoch() ? a : b);
    }
    return latest;
  }

  /**
   * Returns how many bytes of the file as it is now are durable: none if it was truncated since.
   */
  static long durableBytes(Checkpoint checkpoint, Descriptor open) throws IOException {
    return checkpoint
            .durable()
            .marker()
            .matches(open.calls(), open.fd(), checkpoint.durable().bytes())
        ? checkpoint.durable().bytes()
        : 0;
  }
}
