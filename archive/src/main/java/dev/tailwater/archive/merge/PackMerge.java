package dev.tailwater.archive.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.PlainPack;
import dev.tailwater.archive.seal.SealedPack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * A merge of neighbouring packs of one group into one. The ranges are sorted by stream, and those
 * that follow each other become one, so that a stream is read with few units. Every range is
 * checked before it is written.
 *
 * <p>Sorting takes several passes over the units, each with a part of the raw bytes in memory.
 */
public final class PackMerge {
  /** How many raw bytes are gathered in one pass, unless the caller has more memory. */
  private static final int PASS_BYTES = 4 << 20;

  /** The longest range that is read to write a part of it again. */
  private static final long MOST_RANGE_BYTES = 256L << 20;

  /** What a unit may take that does not compress. */
  private static final int SLACK_BYTES = 1200 * 1024;

  private final List<PackInput> inputs;
  private final List<AgeStanza> carried;
  private final PackFold fold;
  private final int passBytes;

  private PackMerge(List<PackInput> inputs, List<AgeStanza> carried, PackFold fold, int passBytes) {
    this.inputs = List.copyOf(inputs);
    this.carried = List.copyOf(carried);
    this.fold = fold;
    this.passBytes = passBytes;
  }

  /**
   * Prepares a merge.
   *
   * @param inputs at least one, in the order of their numbers
   * @param carried the directories for the agent in the headers of the inputs
   * @param replacedByMillis bytes that were replaced up to then are left out, by the clock of the
   *     agent; see {@link RevisionRetention}
   * @return empty when the packs cannot be merged, since ranges that replace others overlap
   */
  public static Optional<PackMerge> of(
      List<PackInput> inputs, List<AgeStanza> carried, long replacedByMillis) {
    return of(inputs, carried, replacedByMillis, CoveredRanges.NONE);
  }

  /**
   * Prepares a merge as {@link #of(List, List, long)} does, without first bytes that are elsewhere.
   *
   * @param covered tells which; the object of a pack of which no range stays is not looked at
   */
  public static Optional<PackMerge> of(
      List<PackInput> inputs,
      List<AgeStanza> carried,
      long replacedByMillis,
      CoveredRanges covered) {
    return PackFold.of(directories(inputs), replacedByMillis, covered)
        .map(fold -> new PackMerge(inputs, carried, fold, PASS_BYTES));
  }

  /**
   * Prepares a merge of all packs of neighbouring groups into one of the last of these groups.
   *
   * @param inputs in the order of their groups and numbers
   * @param carried the directories for the agent in the headers of the inputs
   * @return empty when the packs cannot be merged
   */
  public static Optional<PackMerge> joining(List<PackInput> inputs, List<AgeStanza> carried) {
    return PackFold.joining(directories(inputs))
        .map(fold -> new PackMerge(inputs, carried, fold, PASS_BYTES));
  }

  /**
   * Prepares a rewrite of one pack without what was replaced in it. The new pack has one number
   * more, so that it covers the old one.
   *
   * @param last the last pack of a group that has ended
   * @param carried the directories for the agent in its header
   * @return empty when the pack is at odds with itself
   */
  public static Optional<PackMerge> alone(
      PackInput last, List<AgeStanza> carried, long replacedByMillis) {
    return PackFold.alone(last.pack().directory(), replacedByMillis)
        .map(fold -> new PackMerge(List.of(last), carried, fold, PASS_BYTES));
  }

  /** Returns how many raw bytes of a pack would be left out if it were rewritten. */
  public static long replacedBytes(PackDirectory pack, long replacedByMillis) {
    return PackFold.alone(pack, replacedByMillis)
        .map(fold -> pack.rawBytes() - fold.keptBytes())
        .orElse(0L);
  }

  private static List<PackDirectory> directories(List<PackInput> inputs) {
    return inputs.stream().map(input -> input.pack().directory()).toList();
  }

  /** Returns the same merge, with this many raw bytes in memory at once. */
  public PackMerge sorting(int bytesAtOnce) {
    return new PackMerge(inputs, carried, fold, bytesAtOnce);
  }

  /** Returns the id of the pack that comes of it. */
  public PackId id() {
    return fold.id();
  }

  /** Returns the raw bytes that it will hold. */
  public long rawBytes() {
    return fold.keptBytes();
  }

  /** Waits between passes, so that others go first. */
  public interface Turn {
    /**
     * Waits until the next part may be worked on.
     *
     * @throws IOException when the merge is to end
     */
    void await() throws IOException;
  }

  /**
   * Makes the pack, in an array of its own.
   *
   * @param keeper receives what the pack is without encryption
   * @throws DamagedSegmentException when a pack does not hold what its directory says, or two have
   *     different bytes of one range
   */
  public SealedPack seal(PackSealer sealer, Turn turn, Optional<Consumer<PlainPack>> keeper)
      throws IOException {
    requireSameBytes();
    long worstBytes = 2 * rawBytes() + SLACK_BYTES;
    long dataBytes = Math.min(worstBytes, storedBytes() + SLACK_BYTES);
    while (true) {
      Optional<SealedPack> sealed = seal(sealer, Math.toIntExact(dataBytes), turn, keeper);
      if (sealed.isPresent()) {
        return sealed.get();
      }
      if (dataBytes >= worstBytes) {
        throw new IllegalStateException("no room for " + rawBytes() + " bytes in " + dataBytes);
      }
      dataBytes = Math.min(worstBytes, 2 * dataBytes);
    }
  }

  private void requireSameBytes() throws IOException {
    Sums ones = new Sums();
    Sums others = new Sums();
    for (PackFold.SharedBytes both : fold.shared()) {
      if (ones.crc32c(both.one(), both.range()) != others.crc32c(both.other(), both.range())) {
        throw new DamagedSegmentException(
            inputs.get(both.other().pack()).pack().name().key(),
            0,
            "the bytes "
                + both.range()
                + " of a stream are others than in "
                + inputs.get(both.one().pack()).pack().name().key());
      }
    }
  }

  private long storedBytes() {
    long bytes = 0;
    for (PackInput input : inputs) {
      bytes += input.object().length;
    }
    return bytes;
  }

  private Optional<SealedPack> seal(
      PackSealer sealer, int dataBytes, Turn turn, Optional<Consumer<PlainPack>> keeper)
      throws IOException {
    List<PackedStream> streams = fold.streams();
    List<StreamFact> facts = fold.facts();
    int ranges = 1 + fold.places().stream().mapToInt(place -> place.kept().size()).sum();
    // Two neighbouring units together hold more than a block, or else they would be one.
    int units = (int) (2 * rawBytes() / sealer.blockBytes()) + 3;
    int frontBytes = sealer.frontBytes(streams, facts, ranges, units, carried, dataBytes);
    frontBytes = sealer.frontBytes(streams, facts, ranges, units, carried, frontBytes + dataBytes);
    frontBytes += 1024;
    sealer.begin(new byte[frontBytes + dataBytes], fold.id(), frontBytes, carried);
    boolean done = false;
    try {
      streams.forEach(sealer::describe);
      if (!addRanges(sealer, turn)) {
        return Optional.empty();
      }
      facts.forEach(sealer::say);
      SealedPack sealed =
          keeper.isPresent()
              ? sealer.finish(fold.sealedAtMillis(), keeper.get())
              : sealer.finish(fold.sealedAtMillis());
      done = true;
      return Optional.of(sealed);
    } finally {
      if (!done) {
        sealer.abandon();
      }
    }
  }

  /** Adds all ranges; false when there is no room for them. */
  private boolean addRanges(PackSealer sealer, Turn turn) throws IOException {
    List<PackFold.Place> places = fold.places();
    RangeWriter writer = new RangeWriter(sealer);
    Units units = new Units();
    byte[] gathered = new byte[0];
    int from = 0;
    while (from < places.size()) {
      turn.await();
      int to = from;
      long bytes = 0;
      requireShort(places.get(from));
      while (to < places.size() && (to == from || bytes + length(places.get(to)) <= passBytes)) {
        bytes += length(places.get(to));
        to++;
      }
      if (gathered.length < bytes) {
        gathered = new byte[Math.toIntExact(bytes)];
      }
      gather(places.subList(from, to), units, gathered);
      int at = 0;
      for (int i = from; i < to; i++) {
        if (!writer.write(i, gathered, at)) {
          return false;
        }
        at += (int) length(places.get(i));
      }
      from = to;
    }
    return true;
  }

  private void requireShort(PackFold.Place place) throws DamagedSegmentException {
    if (length(place) > MOST_RANGE_BYTES) {
      throw new DamagedSegmentException(
          inputs.get(place.pack()).pack().name().key(),
          0,
          "a range of " + length(place) + " bytes is too long to be merged");
    }
  }

  private static long length(PackFold.Place place) {
    return place.range().range().lengthBytes();
  }

  /** Writes ranges, and joins those that follow each other. */
  private final class RangeWriter {
    private final PackSealer sealer;
    private boolean open;
    private long sealedAtMillis;
    private long modificationTimeNanos;

    RangeWriter(PackSealer sealer) {
      this.sealer = sealer;
    }

    boolean write(int number, byte[] bytes, int at) throws DamagedSegmentException {
      PackFold.Place place = fold.places().get(number);
      check(place, bytes, at, (int) length(place));
      for (ByteRange part : place.kept()) {
        if (!open) {
          long expectedBytes = place.isWhole() ? joinedBytes(number) : part.lengthBytes();
          sealer.beginRange(
              place.range().number(), part.startBytes(), expectedBytes, place.range().revision());
          open = true;
          sealedAtMillis = Long.MIN_VALUE;
        }
        long from = at + part.startBytes() - place.range().range().startBytes();
        if (!append(bytes, (int) from, (int) part.lengthBytes())) {
          return false;
        }
        if (place.sealedAtMillis() >= sealedAtMillis) {
          sealedAtMillis = place.sealedAtMillis();
          modificationTimeNanos = place.range().modificationTimeNanos();
        }
        if (!isContinued(number)) {
          sealer.endRange(modificationTimeNanos, fold.sealedAtMillis() - sealedAtMillis);
          open = false;
        }
      }
      return true;
    }

    /** Appends to the open range; false when there is no room. */
    private boolean append(byte[] bytes, int from, int length) {
      for (int done = 0; done < length; ) {
        int some = Math.min(length - done, sealer.blockBytes());
        if (!sealer.hasRoomFor(some)) {
          return false;
        }
        sealer.append(bytes, from + done, some);
        done += some;
      }
      return true;
    }

    private long joinedBytes(int first) {
      int number = first;
      long bytes = length(fold.places().get(number));
      while (isContinued(number)) {
        number++;
        bytes += length(fold.places().get(number));
      }
      return bytes;
    }

    private boolean isContinued(int number) {
      List<PackFold.Place> places = fold.places();
      return number + 1 < places.size() && places.get(number).isContinuedBy(places.get(number + 1));
    }

    private void check(PackFold.Place place, byte[] bytes, int at, int length)
        throws DamagedSegmentException {
      CRC32C crc = new CRC32C();
      crc.update(bytes, at, length);
      if ((int) crc.getValue() != place.range().rawCrc32c()) {
        throw new DamagedSegmentException(
            inputs.get(place.pack()).pack().name().key(),
            0,
            "the bytes "
                + place.range().range()
                + " do not have the checksum that the directory states");
      }
    }
  }

  /** Gathers the bytes of some ranges, one after the other. */
  private void gather(List<PackFold.Place> places, Units units, byte[] gathered)
      throws IOException {
    List<Wanted> wanted = new ArrayList<>();
    int at = 0;
    for (PackFold.Place place : places) {
      wanted.add(new Wanted(place, at));
      at += (int) length(place);
    }
    // In the order in which the packs hold them: each unit is decompressed once.
    wanted.sort(
        Comparator.comparingInt((Wanted one) -> one.place.pack())
            .thenComparingInt(one -> one.place.index()));
    for (Wanted one : wanted) {
      OpenedPack pack = inputs.get(one.place.pack()).pack();
      int to = one.at;
      int index = one.place.index();
      for (int unit = pack.firstUnit(index); unit < pack.endUnit(index); unit++) {
        ByteRange part = pack.partOf(index, unit);
        byte[] raw = units.get(one.place.pack(), unit);
        int length = (int) part.lengthBytes();
        System.arraycopy(raw, (int) part.startBytes(), gathered, to, length);
        to += length;
      }
    }
  }

  private record Wanted(PackFold.Place place, int at) {}

  /** Keeps the unit of the pack that was asked last. */
  private final class Sums {
    private int pack = -1;
    private Optional<PartSums> sums = Optional.empty();

    int crc32c(PackFold.Place place, ByteRange part) throws IOException {
      if (pack != place.pack() || sums.isEmpty()) {
        pack = place.pack();
        sums = Optional.of(new PartSums(inputs.get(pack)));
      }
      return sums.get().crc32c(place.index(), part);
    }
  }

  /** Keeps the unit that was used last. */
  private final class Units {
    private int pack = -1;
    private int unit = -1;
    private byte[] raw = new byte[0];

    byte[] get(int wantedPack, int wantedUnit) throws IOException {
      if (pack != wantedPack || unit != wantedUnit) {
        pack = -1; // Until all of it is there.
        raw = inputs.get(wantedPack).unit(wantedUnit, raw);
        pack = wantedPack;
        unit = wantedUnit;
      }
      return raw;
    }
  }
}
