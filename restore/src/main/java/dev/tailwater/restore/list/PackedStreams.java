package dev.tailwater.restore.list;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.PackedAt;
import dev.tailwater.restore.StoredGap;
import dev.tailwater.restore.StoredSegment;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The streams of one group of packs, by their numbers: what the packs say of them is added to the
 * streams of the listing, pack by pack in their order. For one thread.
 */
final class PackedStreams {
  private final String agent;
  private final Map<String, ListedStream> listed;
  private final long atMillis;
  private final Map<Integer, ListedStream> byNumber = new HashMap<>();
  private final Set<ListedStream> described = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * @param atMillis the moment as of which the archive is read
   */
  PackedStreams(String agent, Map<String, ListedStream> listed, long atMillis) {
    this.agent = agent;
    this.listed = listed;
    this.atMillis = atMillis;
  }

  /** Adds a pack; returns what is wrong with it. */
  Optional<Damage> add(OpenedPack pack, ListedPack at) {
    PackDirectory directory = pack.directory();
    boolean isLater = directory.sealedAtMillis() > atMillis;
    if (isLater && !at.name().id().isMerged()) {
      return Optional.empty();
    }
    long sealedAtMillis = Math.min(directory.sealedAtMillis(), atMillis);
    directory.streams().forEach(stream -> describe(stream, sealedAtMillis, isLater, at));
    double objectBytesPerRaw = (double) at.objectBytes() / Math.max(1, directory.rawBytes());
    long unknown = 0;
    Set<Integer> withRange = new HashSet<>();
    for (int index = 0; index < directory.ranges().size(); index++) {
      PackedRange range = directory.ranges().get(index);
      ListedStream stream = byNumber.get(range.number());
      if (stream == null) {
        unknown++;
      } else {
        long share = Math.max(1, Math.round(range.range().lengthBytes() * objectBytesPerRaw));
        PackedAt place =
            new PackedAt(pack, index, stream.packed().permissions(), stream.packed().owner());
        withRange.add(range.number());
        if (place.sealedAtMillis() > atMillis) {
          noteLater(stream, range, at);
          continue;
        }
        stream.mentioned = true;
        stream.segments.add(segment(range, share, place, at));
        stream.packed().mentioned(sealedAtMillis, at.modifiedMillis());
        stream.packed().add(range, place.sealedAtMillis());
      }
    }
    for (StreamFact fact : directory.facts()) {
      ListedStream stream = byNumber.get(fact.number());
      if (stream == null) {
        unknown++;
      } else if (fact instanceof StreamFact.Dropped bytes) {
        if (bytes.isAbout(atMillis)) {
          stream.mentioned = true;
          stream.dropped.add(
              new ListedStream.Dropped(bytes.range(), at.name().key(), at.name().encrypted()));
        }
      } else if (isLater && !isOfMoment(fact)) {
        noteLater(stream, fact, at);
      } else if (fact instanceof StreamFact.Missing missing) {
        stream.mentioned = true;
        stream.explained.add(new StoredGap(missing.range(), missing.reason()));
      } else {
        stream.mentioned = true;
        stream.packed().mentioned(sealedAtMillis, at.modifiedMillis());
        boolean toldByRange = !at.name().id().isMerged() && withRange.contains(fact.number());
        if (!(fact instanceof StreamFact.Attributes) || !toldByRange) {
          stream.packed().add(fact);
        }
      }
    }
    return unknown == 0
        ? Optional.empty()
        : Optional.of(
            Damage.of(
                at.name().key(),
                unknown + " of its entries are about streams that no pack before it describes"));
  }

  /** Whether the fact itself says that it was so at the moment; of others only the pack knows. */
  private boolean isOfMoment(StreamFact fact) {
    return switch (fact) {
      case StreamFact.Renamed renamed -> renamed.sinceMillis() <= atMillis;
      case StreamFact.Attributes attributes -> attributes.seenAtMillis() <= atMillis;
      case StreamFact.Ended ended -> ended.atMillis() <= atMillis;
      case StreamFact.Missing missing -> missing.atMillis() <= atMillis;
      default -> false;
    };
  }

  /** Of bytes that were joined with later ones, the pack knows the time of the last only. */
  private void noteLater(ListedStream stream, PackedRange range, ListedPack at) {
    if (range.revision() == 0 && Moments.mayHaveBegun(stream.name.stream(), atMillis)) {
      stream.untold.add(Damage.untold(at.name().key(), Moments.untoldBytes(range.range())));
    }
  }

  private void noteLater(ListedStream stream, StreamFact fact, ListedPack at) {
    if (fact instanceof StreamFact.Renamed
        && Moments.mayHaveBegun(stream.name.stream(), atMillis)) {
      stream.packed().forgetPath(at.name());
      stream.untold.add(Damage.untold(at.name().key(), Moments.UNTOLD_PATH));
    }
  }

  private void describe(PackedStream stream, long sealedAtMillis, boolean isLater, ListedPack at) {
    String prefix = ArchiveNames.streamPrefix(agent, stream.birthPath(), stream.stream());
    ListedStream known =
        listed.computeIfAbsent(
            prefix,
            any ->
                new ListedStream(
                    new ArchiveObject.Stream(
                        ArchiveNames.streamObject(prefix),
                        agent,
                        stream.birthPath(),
                        false,
                        stream.stream(),
                        prefix)));
    boolean isNew = described.add(known);
    byNumber.put(stream.number(), known);
    if (isLater && !isNew) {
      return; // What earlier packs say of it is nearer to the moment.
    }
    known.mentioned |= !isLater;
    known.packed().mentioned(sealedAtMillis, at.modifiedMillis());
    known.packed().describe(stream, at.name(), isLater);
  }

  private static StoredSegment segment(
      PackedRange range, long shareBytes, PackedAt place, ListedPack at) {
    return new StoredSegment(
        range.range(),
        shareBytes,
        at.modifiedMillis(),
        false,
        at.name().encrypted(),
        Optional.of(place));
  }
}
