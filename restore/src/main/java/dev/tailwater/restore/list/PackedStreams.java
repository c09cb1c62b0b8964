package dev.tailwater.restore.list;

import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.PackedAt;
import dev.tailwater.restore.StoredGap;
import dev.tailwater.restore.StoredSegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one group of packs, by their numbers: what the packs say of them is added to the
 * streams of the listing, pack by pack in their order. For one thread.
 */
final class PackedStreams {
  private final String agent;
  private final ListedStreams listed;
  private final long atMillis;
  private final Numbered byNumber = new Numbered();

  /** Streams that only packs describe which do not count yet at the moment. */
  private final Set<Integer> describedLater = new HashSet<>();

  /**
   * @param atMillis the moment as of which the archive is read
   */
  PackedStreams(String agent, ListedStreams listed, long atMillis) {
    this.agent = agent;
    this.listed = listed;
    this.atMillis = atMillis;
  }

  /** Adds a pack; returns what is wrong with it. */
  Optional<Damage> add(OpenedPack pack, ListedPack at) {
    PackDirectory directory = pack.directory();
    boolean isLater = directory.sealedAtMillis() > atMillis;
    if (isLater && !at.name().id().isMerged()) {
      directory.streams().forEach(stream -> describedLater.add(stream.number()));
      return Optional.empty();
    }
    long sealedAtMillis = Math.min(directory.sealedAtMillis(), atMillis);
    for (PackedStream stream : directory.streams()) {
      describe(stream, sealedAtMillis, isLater, at);
    }
    long unknown = addRanges(pack, at, sealedAtMillis) + addFacts(directory, at, sealedAtMillis);
    return unknown == 0
        ? Optional.empty()
        : Optional.of(
            Damage.of(
                at.name().key(),
                unknown + " of its entries are about streams that no pack before it describes"));
  }

  /** Returns how many are of streams that nobody has described. */
  private long addRanges(OpenedPack pack, ListedPack at, long sealedAtMillis) {
    PackDirectory directory = pack.directory();
    double objectBytesPerRaw = (double) at.objectBytes() / Math.max(1, directory.rawBytes());
    long unknown = 0;
    for (int index = 0; index < directory.ranges().size(); index++) {
      PackedRange range = directory.ranges().get(index);
      ListedStream stream = byNumber.get(range.number());
      if (stream == null) {
        boolean isLater = directory.sealedAtMillis() - range.olderMillis() > atMillis;
        unknown += isLater && describedLater.contains(range.number()) ? 0 : 1;
        continue;
      }
      PackedAt place =
          new PackedAt(pack, index, stream.packed().permissions(), stream.packed().owner());
      if (place.sealedAtMillis() > atMillis) {
        noteLater(stream, range, at);
        continue;
      }
      long share = Math.max(1, Math.round(range.range().lengthBytes() * objectBytesPerRaw));
      stream.mentioned = true;
      stream.addSegment(segment(range, share, place, at));
      stream.packed().mentioned(sealedAtMillis, at.modifiedMillis());
      stream.packed().add(range, place.sealedAtMillis());
    }
    return unknown;
  }

  /** Returns how many are about streams that nobody has described. */
  private long addFacts(PackDirectory directory, ListedPack at, long sealedAtMillis) {
    Set<Integer> withRange =
        at.name().id().isMerged() || directory.facts().isEmpty() ? Set.of() : withRange(directory);
    boolean isLater = directory.sealedAtMillis() > atMillis;
    long unknown = 0;
    for (StreamFact fact : directory.facts()) {
      ListedStream stream = byNumber.get(fact.number());
      if (stream == null) {
        // A pack is merged of some that follow each other, so this came after the description.
        unknown += isLater && describedLater.contains(fact.number()) ? 0 : 1;
      } else if (fact instanceof StreamFact.Dropped bytes) {
        if (bytes.isAbout(atMillis)) {
          stream.mentioned = true;
          stream.addDropped(
              new ListedStream.Dropped(bytes.range(), at.name().key(), at.name().encrypted()));
        }
      } else if (isLater && !isOfMoment(fact)) {
        noteLater(stream, fact, at);
      } else if (fact instanceof StreamFact.Missing missing) {
        stream.mentioned = true;
        stream.addExplained(new StoredGap(missing.range(), missing.reason()));
      } else {
        stream.mentioned = true;
        stream.packed().mentioned(sealedAtMillis, at.modifiedMillis());
        boolean isToldByRange =
            fact instanceof StreamFact.Attributes && withRange.contains(fact.number());
        if (!isToldByRange) {
          stream.packed().add(fact, at.name());
        }
      }
    }
    return unknown;
  }

  /** The numbers of the streams that have a range in a pack. */
  private static Set<Integer> withRange(PackDirectory directory) {
    Set<Integer> numbers = new HashSet<>();
    for (PackedRange range : directory.ranges()) {
      numbers.add(range.number());
    }
    return numbers;
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
      stream.addUntoldBytes(range.range(), at.name().key());
    }
  }

  private void noteLater(ListedStream stream, StreamFact fact, ListedPack at) {
    if (fact instanceof StreamFact.Renamed
        && Moments.mayHaveBegun(stream.name.stream(), atMillis)) {
      stream.packed().forgetPath(at.name());
      stream.addUntold(Damage.untold(at.name().key(), Moments.UNTOLD_PATH));
    }
  }

  private void describe(PackedStream stream, long sealedAtMillis, boolean isLater, ListedPack at) {
    ListedStream known = listed.of(StreamName.of(agent, stream.birthPath(), stream.stream()));
    boolean isNew = known.describedBy(this);
    byNumber.put(stream.number(), known);
    if (isLater && !isNew) {
      return; // What earlier packs say of it is nearer to the moment.
    }
    known.mentioned |= !isLater;
    if (isLater && Moments.mayHaveBegun(stream.stream(), atMillis)) {
      known.addUntold(Damage.untold(at.name().key(), Moments.UNTOLD_PRESENCE));
    }
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

  /**
   * The streams of a group of packs by their numbers. Agents count from 0, so an array holds them;
   * numbers with large gaps, which somebody else has made up, are in a map. For one thread.
   */
  static final class Numbered {
    private static final int MIN_LENGTH = 64;

    /** The array is at most so many times longer than what was put. */
    private static final int MAX_SPARSENESS = 4;

    private @Nullable ListedStream[] dense = new @Nullable ListedStream[MIN_LENGTH];
    private final Map<Integer, ListedStream> sparse = new HashMap<>();
    private int puts;

    /** Gives a stream a number, 0 or more, in the place of another one that had it. */
    void put(int number, ListedStream stream) {
      puts++;
      if (number >= dense.length && number / MAX_SPARSENESS < puts) {
        long length = Math.max(number + 1L, 2L * dense.length);
        dense = Arrays.copyOf(dense, (int) Math.min(length, Integer.MAX_VALUE - 8));
      }
      if (number < dense.length) {
        dense[number] = stream;
      } else {
        sparse.put(number, stream);
      }
    }

    /** Returns the stream that got a number last, or null if none has it. */
    @Nullable ListedStream get(int number) {
      ListedStream found = number < dense.length ? dense[number] : null;
      return found == null && !sparse.isEmpty() ? sparse.get(number) : found;
    }
  }
}
