package dev.tailwater.delivery;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.LatestCheckpoints;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
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
 * names of the objects at the destination. Reads only.
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
   * Lists what a destination holds of an agent, as an agent without state does at its start. That
   * agent compares contents too, and looks at signatures, and may find that a file must be
   * delivered again.
   */
  public static DeliveredBefore list(Destination destination, String agent)
      throws DestinationException {
    Map<String, Inventory.Holding> known = new HashMap<>();
    Map<String, Integer> epochs = new HashMap<>();
    new Inventory(destination)
        .streams(agent)
        .forEach(
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
