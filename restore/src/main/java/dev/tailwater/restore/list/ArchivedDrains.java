package dev.tailwater.restore.list;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.restore.Damage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The last drains of all agents of an archive. Immutable once read. */
final class ArchivedDrains {
  private final List<ArchivedDrain> all = new ArrayList<>();
  private final List<Damage> damages = new ArrayList<>();
  private final Map<String, ArchivedDrain> byAgent = new HashMap<>();
  private final Map<Whose, LastDrain.Left> left = new HashMap<>();

  /** No agent is believed about the streams of another. */
  private record Whose(String agent, StreamId stream) {}

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
      } catch (ArchiveException | DestinationException | SegmentSource.OversizedException e) {
        drains.damages.add(Damage.of(key, String.valueOf(e.getMessage())));
      }
    }
    return drains;
  }

  private void add(ArchivedDrain drain) {
    all.add(drain);
    byAgent.put(drain.agent(), drain);
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
    Optional<LastDrain.Left> leftOfIt = Optional.ofNullable(left.get(new Whose(agent, stream)));
    return new StreamAtDrain(
        Optional.ofNullable(byAgent.get(agent)),
        leftOfIt.map(LastDrain.Left::ranges).orElse(List.of()));
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
    String prefix = ArchiveNames.streamPrefix(agent, stream.path(), stream.stream());
    return new ListedStream(
        new ArchiveObject.Stream(
            ArchiveNames.streamObject(prefix),
            agent,
            stream.path(),
            false,
            stream.stream(),
            prefix));
  }
}
