package dev.tailwater.archive.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.StreamFact;
import java.util.ArrayList;
import java.util.List;

/**
 * The choice of what a merge leaves out: bytes that a higher revision in the same merge has
 * replaced, early enough. First bytes stay, since they say how long the stream is.
 */
final class RevisionPruning {
  private final long replacedByMillis;
  private final List<PackFold.Place> kept = new ArrayList<>();
  private final List<StreamFact.Dropped> dropped = new ArrayList<>();

  private RevisionPruning(long replacedByMillis) {
    this.replacedByMillis = replacedByMillis;
  }

  /**
   * Chooses.
   *
   * @param places by stream, then by revision
   * @param replacedByMillis bytes that were replaced later stay
   */
  static RevisionPruning of(List<PackFold.Place> places, long replacedByMillis) {
    RevisionPruning pruning = new RevisionPruning(replacedByMillis);
    int from = 0;
    while (from < places.size()) {
      int to = from;
      while (to < places.size() && number(places, to) == number(places, from)) {
        to++;
      }
      pruning.add(places.subList(from, to));
      from = to;
    }
    return pruning;
  }

  private static int number(List<PackFold.Place> places, int index) {
    return places.get(index).range().number();
  }

  /** Adds the places of one stream. */
  private void add(List<PackFold.Place> stream) {
    if (stream.getLast().range().revision() == 0) {
      kept.addAll(stream); // Nothing replaces anything.
      return;
    }
    ReplacedBytes replaced = new ReplacedBytes();
    List<PackFold.Place> left = new ArrayList<>();
    int to = stream.size();
    while (to > 0) {
      int from = to - 1;
      long revision = stream.get(from).range().revision();
      while (from > 0 && stream.get(from - 1).range().revision() == revision) {
        from--;
      }
      List<PackFold.Place> equal = stream.subList(from, to);
      for (PackFold.Place place : equal.reversed()) {
        List<ByteRange> parts = revision == 0 ? place.kept() : prune(place, replaced);
        if (!parts.isEmpty()) {
          left.addFirst(place.keeping(parts));
        }
      }
      for (PackFold.Place place : equal) {
        replaced.add(place.range().range(), place.sealedAtMillis());
      }
      to = from;
    }
    kept.addAll(left);
  }

  /** Returns the parts of a range that stay, and notes the others. */
  private List<ByteRange> prune(PackFold.Place place, ReplacedBytes replaced) {
    PackedRange range = place.range();
    List<ByteRange> parts = new ArrayList<>();
    for (ReplacedBytes.Split split : replaced.split(range.range())) {
      long untilMillis = split.replacedAtMillis().orElse(Long.MAX_VALUE);
      if (split.replacedAtMillis().isEmpty() || untilMillis > replacedByMillis) {
        append(parts, split.range());
      } else if (place.sealedAtMillis() < untilMillis) {
        dropped.add(
            new StreamFact.Dropped(
                range.number(), split.range(), place.sealedAtMillis(), untilMillis));
      }
    }
    return parts;
  }

  private static void append(List<ByteRange> parts, ByteRange next) {
    if (!parts.isEmpty() && parts.getLast().endBytes() == next.startBytes()) {
      next = new ByteRange(parts.removeLast().startBytes(), next.endBytes());
    }
    parts.add(next);
  }

  /** Returns the places that stay, some in parts, in the same order. */
  List<PackFold.Place> kept() {
    return kept;
  }

  /** Returns what is left out of which a moment may still be asked for. */
  List<StreamFact.Dropped> dropped() {
    return dropped;
  }
}
