package dev.tailwater.restore.list;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.Damage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The last drains of all agents of an archive. Immutable once read. */
final class ArchivedDrains {
  private final List<ArchivedDrain> all = new ArrayList<>();
  private final List<Damage> damages = new ArrayList<>();
  private final Map<String, ArchivedDrain> byAgent = new HashMap<>();

  /** What is told of streams of which nothing was left, by agent: nearly all are. */
  private final Map<String, StreamAtDrain> nothingLeft = new HashMap<>();

  private final Map<Whose, LastDrain.Left> left = new HashMap<>();

  /**
   * What the last drain of its agent tells of one stream.
   *
   * @param lastDrain empty: there is no record of one
   * @param left what it left behind of this stream; by now that may have arrived
   */
  record StreamAtDrain(Optional<ArchivedDrain> lastDrain, List<ByteRange> left) {
    /** Of a stream of an agent of whose drains nothing is told. */
    static final StreamAtDrain UNTOLD = new StreamAtDrain(Optional.empty(), List.of());

    StreamAtDrain {
      left = List.copyOf(left);
    }

    /** How long the stream was at least; 0 when nothing was left of it. */
    long knownEndBytes() {
      long endBytes = 0;
      for (ByteRange range : left) {
        endBytes = Math.max(endBytes, range.endBytes());
      }
      return endBytes;
    }
  }

  /** No agent is believed about the streams of another. */
  record Whose(String agent, StreamId stream) {}

  /**
   * Reads the records that were listed. One that cannot be read is noted as a damage.
   *
   * @throws IOException the thread was interrupted
   */
  static ArchivedDrains read(SegmentSource source, ArchiveLister lister) throws IOException {
    ArchivedDrains drains = new ArchivedDrains();
    for (Map.Entry<String, Boolean> listed : lister.lastDrains().entrySet()) {
      String key = ArchiveNames.lastDrain(listed.getKey());
      try {
        LastDrain drain = LastDrain.fromJson(source.record(key, listed.getKey()), listed.getKey());
        if (drain.atMillis() <= source.atMillis()) {
          drains.add(new ArchivedDrain(drain, listed.getValue()));
        }
      } catch (NotAuthenticException e) {
        drains.damages.add(Damage.of(e));
      } catch (ArchiveException | NoSuchObjectException | SegmentSource.OversizedException e) {
        drains.damages.add(Damage.of(key, String.valueOf(e.getMessage())));
      } catch (DestinationException e) {
        drains.damages.add(Damage.unreadable(key, e));
      }
    }
    return drains;
  }

  private void add(ArchivedDrain drain) {
    all.add(drain);
    byAgent.put(drain.agent(), drain);
    nothingLeft.put(drain.agent(), new StreamAtDrain(Optional.of(drain), List.of()));
    for (LastDrain.Left stream : drain.leftBehind().streams()) {
      left.put(new Whose(drain.agent(), stream.stream()), stream);
    }
  }

  List<ArchivedDrain> all() {
    return List.copyOf(all);
  }

  /** Whether there is no record of a drain, readable or not. */
  boolean isEmpty() {
    return all.isEmpty() && damages.isEmpty();
  }

  List<Damage> damages() {
    return List.copyOf(damages);
  }

  /** What the last drain of its agent tells of a stream. */
  StreamAtDrain of(String agent, StreamId stream) {
    LastDrain.Left leftOfIt = left.isEmpty() ? null : left.get(new Whose(agent, stream));
    return leftOfIt == null
        ? nothingLeft.getOrDefault(agent, StreamAtDrain.UNTOLD)
        : new StreamAtDrain(Optional.ofNullable(byAgent.get(agent)), leftOfIt.ranges());
  }

  /** Notes a stream for {@link ArchivedDrain#found} of its agent. */
  void found(String agent, StreamId stream, boolean isSigned) {
    @Nullable ArchivedDrain drain = byAgent.get(agent);
    if (drain != null) {
      drain.found(stream, isSigned);
    }
  }

  /** Streams that were left behind as a whole: the archive has no object of them. */
  List<ListedStream> unlisted(List<ListedStream> listed) {
    if (all.stream().allMatch(drain -> drain.leftBehind().streams().isEmpty())) {
      return List.of();
    }
    Set<Whose> known = new HashSet<>();
    listed.forEach(one -> known.add(new Whose(one.name.agent(), one.name.stream())));
    List<ListedStream> unlisted = new ArrayList<>();
    for (ArchivedDrain drain : all) {
      for (LastDrain.Left stream : drain.leftBehind().streams()) {
        if (!known.contains(new Whose(drain.agent(), stream.stream()))) {
          unlisted.add(neverArrived(drain.agent(), stream));
        }
      }
    }
    return unlisted;
  }

  private static ListedStream neverArrived(String agent, LastDrain.Left stream) {
    return new ListedStream(StreamName.of(agent, stream.path(), stream.stream()));
  }
}
