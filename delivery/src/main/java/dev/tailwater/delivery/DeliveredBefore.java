package dev.tailwater.delivery;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.RememberedFiles;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.deliver.Holding;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.pack.PackInventory;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.trust.ArchiveTrust;
import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.FileCalls;
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

  /** Returns what a state remembers of one destination; valid as long as the files are. */
  public static DeliveredBefore remembered(RememberedFiles files) {
    return new DeliveredBefore(
        file -> {
          Optional<Checkpoint> last = RememberedFiles.last(files.find(file.identity()));
          return last.isPresent()
              ? OptionalLong.of(durableBytes(last.get(), file.descriptor()))
              : OptionalLong.empty();
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
                made.signing().trust(calls, config.stateDirectory()),
                Optional.empty(), // It removes nothing.
                destination,
                problems),
            new GroupBound(() -> nowMillis));
    Map<StreamId, Holding> held = Map.of();
    try {
      held = new Inventory(destination, Optional.of(packs)).streams(config.agent(), nowMillis);
    } catch (ColdObjectException e) {
      return begunAnew(problems, Optional.of(e));
    } catch (PermanentDestinationException e) {
      if (!isKeyLost(config, packs)) {
        throw e;
      }
    }
    if (isKeyLost(config, packs)) {
      return begunAnew(problems, Optional.empty());
    }
    return listed(config.agent(), held);
  }

  private static DeliveredBefore begunAnew(Problems problems, Optional<ColdObjectException> cold) {
    LaneConnection.reportBegunAnew(problems, cold);
    return nothing();
  }

  /** Returns whether the key of the packs that are there is lost with the state. */
  private static boolean isKeyLost(AgentConfig config, PackInventory packs) {
    return config.segments().contentCheck().key().isEmpty() && packs.isOfAnotherKey();
  }

  private static DeliveredBefore listed(String agent, Map<StreamId, Holding> held) {
    Map<String, Holding> known = new HashMap<>();
    Map<String, Integer> epochs = new HashMap<>();
    held.forEach(
        (id, holding) -> {
          if (epochs.merge(id.withoutEpoch(), id.epoch(), Math::max) == id.epoch()) {
            known.put(id.withoutEpoch(), holding);
          }
        });
    return new DeliveredBefore(
        file -> {
          Holding holding = known.get(StreamId.of(agent, file.identity(), 0).withoutEpoch());
          return holding == null || holding.isEmpty()
              ? OptionalLong.empty()
              : OptionalLong.of(fromBeginning(holding));
        });
  }

  /** Returns up to where the destination has every byte. */
  private static long fromBeginning(Holding holding) {
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
