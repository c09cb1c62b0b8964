package dev.tailwater.restore.list;

import dev.tailwater.archive.ArchiveException;
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

/** Reads what agents said when they ended, and tells it stream by stream. Immutable when read. */
final class Farewells {
  private final List<Farewell> all = new ArrayList<>();
  private final List<Damage> damages = new ArrayList<>();
  private final Map<String, Farewell> byAgent = new HashMap<>();
  private final Map<Whose, LastDrain.Left> left = new HashMap<>();

  /** No agent is believed about the streams of another. */
  private record Whose(String agent, StreamId stream) {}

  /**
   * Reads those that were listed. One that cannot be read is noted, and says nothing.
   *
   * @throws IOException the thread was interrupted
   */
  static Farewells read(SegmentSource source, ArchiveLister lister) throws IOException {
    Farewells farewells = new Farewells();
    for (Map.Entry<String, Boolean> listed : lister.lastDrains().entrySet()) {
      String key = ArchiveNames.lastDrain(listed.getKey());
      try {
        LastDrain drain = LastDrain.fromJson(source.small(key), listed.getKey());
        farewells.add(new Farewell(drain, listed.getValue()));
      } catch (ArchiveException | DestinationException | SegmentSource.OversizedException e) {
        farewells.damages.add(Damage.of(key, String.valueOf(e.getMessage())));
      }
    }
    return farewells;
  }

  private void add(Farewell farewell) {
    all.add(farewell);
    byAgent.put(farewell.agent(), farewell);
    for (LastDrain.Left stream : farewell.leftBehind().streams()) {
      left.put(new Whose(farewell.agent(), stream.stream()), stream);
    }
  }

  List<Farewell> all() {
    return List.copyOf(all);
  }

  /** Whether no agent said anything, readable or not. */
  boolean isEmpty() {
    return all.isEmpty() && damages.isEmpty();
  }

  List<Damage> damages() {
    return List.copyOf(damages);
  }

  /** What is known of the end of a stream. */
  Parting of(String agent, StreamId stream) {
    Optional<LastDrain.Left> leftOfIt = Optional.ofNullable(left.get(new Whose(agent, stream)));
    return new Parting(
        Optional.ofNullable(byAgent.get(agent)),
        leftOfIt.map(LastDrain.Left::ranges).orElse(List.of()));
  }

  /** Streams of which nothing has arrived at all. */
  List<ListedStream> unlisted(List<ListedStream> listed) {
    Set<Whose> known = new HashSet<>();
    listed.forEach(one -> known.add(new Whose(one.name.agent(), one.name.stream())));
    List<ListedStream> unlisted = new ArrayList<>();
    for (Farewell farewell : all) {
      for (LastDrain.Left stream : farewell.leftBehind().streams()) {
        if (!known.contains(new Whose(farewell.agent(), stream.stream()))) {
          unlisted.add(neverArrived(farewell.agent(), stream));
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
