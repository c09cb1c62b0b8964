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
import java.util.HashMap;
import java.util.HashSet;
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
  private final Map<Integer, ListedStream> byNumber = new HashMap<>();

  PackedStreams(String agent, Map<String, ListedStream> listed) {
    this.agent = agent;
    this.listed = listed;
  }

  /** Adds a pack; returns what is wrong with it. */
  Optional<Damage> add(OpenedPack pack, ListedPack at) {
    PackDirectory directory = pack.directory();
    directory.streams().forEach(stream -> describe(stream, directory.sealedAtMillis(), at));
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
        PackedAt place = new PackedAt(pack, index, stream.packed().permissions());
        stream.segments.add(segment(range, share, place, at));
        stream.packed().mentioned(directory.sealedAtMillis(), at.modifiedMillis());
        stream.packed().add(range);
        withRange.add(range.number());
      }
    }
    for (StreamFact fact : directory.facts()) {
      ListedStream stream = byNumber.get(fact.number());
      if (stream == null) {
        unknown++;
      } else if (fact instanceof StreamFact.Missing missing) {
        stream.explained.add(new StoredGap(missing.range(), missing.reason()));
      } else {
        stream.packed().mentioned(directory.sealedAtMillis(), at.modifiedMillis());
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

  private void describe(PackedStream stream, long sealedAtMillis, ListedPack at) {
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
    byNumber.put(stream.number(), known);
    known.packed().mentioned(sealedAtMillis, at.modifiedMillis());
    known.packed().describe(stream);
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
