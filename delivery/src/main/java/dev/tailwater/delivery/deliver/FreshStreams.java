package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.trust.DoubtedStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives a file a new stream if untrusted objects say something of its latest one: what they hold
 * may differ from the file, and their names are taken. Or if readers are told that bytes of the
 * latest one are lost: other bytes in their place would belie that.
 */
final class FreshStreams {
  private final Map<StreamId, Holding> holdings;
  private final int highestEpoch;

  /**
   * Creates the choice.
   *
   * @param holdings what is held of each stream, none of which has a higher epoch; changed
   * @param highestEpoch an untrusted stream of a higher epoch cannot be the agent's own
   */
  FreshStreams(Map<StreamId, Holding> holdings, int highestEpoch) {
    this.holdings = holdings;
    this.highestEpoch = highestEpoch;
  }

  /** Adds a stream of which nothing is held, behind the latest doubted one of each file. */
  void replace(List<DoubtedStream> doubted) {
    Map<String, DoubtedStream> latest = new HashMap<>();
    for (DoubtedStream one : doubted) {
      if (one.stream().epoch() <= highestEpoch) {
        latest.merge(
            one.stream().withoutEpoch(),
            one,
            (a, b) -> a.stream().epoch() >= b.stream().epoch() ? a : b);
      }
    }
    if (latest.isEmpty()) {
      return;
    }
    Map<String, Map.Entry<StreamId, Holding>> trusted = latestTrusted();
    latest.forEach(
        (file, of) -> {
          Optional<Map.Entry<StreamId, Holding>> known = Optional.ofNullable(trusted.get(file));
          if (known.isEmpty() || known.get().getKey().epoch() <= of.stream().epoch()) {
            StreamId fresh = of.stream().withEpoch(of.stream().epoch() + 1);
            holdings.put(
                fresh, known.map(own -> emptyLike(own, fresh)).orElseGet(() -> empty(of, fresh)));
          }
        });
  }

  /** Adds a stream of which nothing is held, behind each latest one that ended with a loss. */
  void followLosses() {
    if (holdings.values().stream().noneMatch(Holding::endedWithLoss)) {
      return;
    }
    for (Map.Entry<StreamId, Holding> latest : latestTrusted().values()) {
      if (latest.getValue().endedWithLoss()) {
        StreamId fresh = latest.getKey().withEpoch(latest.getKey().epoch() + 1);
        holdings.put(fresh, emptyLike(latest, fresh));
      }
    }
  }

  private Map<String, Map.Entry<StreamId, Holding>> latestTrusted() {
    Map<String, Map.Entry<StreamId, Holding>> trusted = new HashMap<>();
    for (Map.Entry<StreamId, Holding> one : Map.copyOf(holdings).entrySet()) {
      trusted.merge(
          one.getKey().withoutEpoch(),
          one,
          (a, b) -> a.getKey().epoch() >= b.getKey().epoch() ? a : b);
    }
    return trusted;
  }

  /** Where a file was first seen, a trusted object knows better than another one. */
  private static Holding emptyLike(Map.Entry<StreamId, Holding> own, StreamId fresh) {
    Holding held = own.getValue();
    return new Holding(
        DoubtedStream.prefixOf(held.streamPrefix(), own.getKey(), fresh), held.birthPath());
  }

  private static Holding empty(DoubtedStream doubted, StreamId fresh) {
    return new Holding(doubted.prefixOf(fresh), doubted.birthPath());
  }
}
