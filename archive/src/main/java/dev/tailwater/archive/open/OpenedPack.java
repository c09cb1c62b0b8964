package dev.tailwater.archive.open;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.age.AgePayload;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackUnit;
import dev.tailwater.archive.pack.PackedRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A pack whose directory is known: it says which bytes of the object to fetch for a range.
 * Immutable.
 */
public final class OpenedPack {
  /** More than any store takes, and far from where lengths overflow. */
  private static final long MAX_PLAIN_BYTES = 1L << 46;

  private final PackName name;
  private final PackDirectory directory;
  private final Optional<Payload> payload;
  private final Optional<List<byte[]>> digests;
  private final boolean signed;

  /** Where each range begins among the raw bytes, and where the last one ends. */
  private final long[] rangeAt;

  /** Where each unit begins among the raw bytes, and where the last one ends. */
  private final long[] unitRawAt;

  /** Where each unit begins in the plain text, and where the last one ends. */
  private final long[] unitAt;

  /**
   * The encrypted part of an object.
   *
   * @param key decrypts its chunks
   * @param atBytes where it begins in the object
   */
  record Payload(@SuppressWarnings("ArrayRecordComponent") byte[] key, long atBytes) {}

  /**
   * Creates a pack.
   *
   * @param unitsAt where the first unit begins in the plain text
   * @param digests of each unit, if these are to be checked
   * @param signed whether it has a signature, checked or not
   */
  OpenedPack(
      PackName name,
      PackDirectory directory,
      long unitsAt,
      Optional<Payload> payload,
      Optional<List<byte[]>> digests,
      boolean signed)
      throws DamagedSegmentException {
    this.name = name;
    this.directory = directory;
    this.payload = payload;
    this.digests = digests;
    this.signed = signed;
    List<PackedRange> ranges = directory.ranges();
    List<PackUnit> units = directory.units();
    this.rangeAt = new long[ranges.size() + 1];
    for (int i = 0; i < ranges.size(); i++) {
      rangeAt[i + 1] = rangeAt[i] + ranges.get(i).range().lengthBytes();
    }
    this.unitRawAt = new long[units.size() + 1];
    this.unitAt = new long[units.size() + 1];
    unitAt[0] = unitsAt;
    for (int i = 0; i < units.size(); i++) {
      unitRawAt[i + 1] = unitRawAt[i] + units.get(i).rawBytes();
      if (units.get(i).encodedBytes() > MAX_PLAIN_BYTES - unitAt[i]) {
        throw new DamagedSegmentException(name.key(), 0, "longer than any object");
      }
      unitAt[i + 1] = unitAt[i] + units.get(i).encodedBytes();
    }
    if (digests.isPresent() && digests.get().size() != units.size()) {
      throw new DamagedSegmentException(name.key(), 0, "the signature has not one digest a unit");
    }
    if (rangeAt[ranges.size()] != unitRawAt[units.size()]) {
      throw new DamagedSegmentException(name.key(), 0, "the directory lists no units");
    }
  }

  /** Returns the name of the object. */
  public PackName name() {
    return name;
  }

  /** Returns whether it has a signature, whether or not that was checked. */
  public boolean isSigned() {
    return signed;
  }

  /** Returns what the pack holds. */
  public PackDirectory directory() {
    return directory;
  }

  /** Returns how long the object must be. */
  public long objectBytes() {
    long plainBytes = unitAt[unitAt.length - 1];
    return payload
        .map(encrypted -> encrypted.atBytes() + plainBytes + chunks() * AgePayload.TAG_BYTES)
        .orElse(plainBytes);
  }

  private long chunks() {
    return Math.max(1, Math.ceilDiv(unitAt[unitAt.length - 1], AgePayload.CHUNK_BYTES));
  }

  /** Returns the part of the object that holds some neighbouring ranges: at least one. */
  public PackSlice slice(int firstRange, int endRange) {
    Objects.checkFromToIndex(firstRange, endRange, directory.ranges().size());
    if (firstRange == endRange) {
      throw new IllegalArgumentException("a slice holds at least one range");
    }
    int firstUnit = firstUnit(firstRange);
    long skippedBytes = rangeAt[firstRange] - unitRawAt[firstUnit];
    List<PackedRange> ranges = directory.ranges().subList(firstRange, endRange);
    return slice(firstUnit, endUnit(endRange - 1), ranges, skippedBytes);
  }

  /** Returns the number of the first unit that holds bytes of a range. */
  public int firstUnit(int range) {
    return unitOf(rangeAt[range]);
  }

  /** Returns the number of the unit behind the last one that holds bytes of a range. */
  public int endUnit(int range) {
    return unitOf(rangeAt[range + 1] - 1) + 1;
  }

  /** Returns which of a unit's raw bytes belong to a range. */
  public ByteRange partOf(int range, int unit) {
    long from = Math.max(rangeAt[range], unitRawAt[unit]);
    long to = Math.min(rangeAt[range + 1], unitRawAt[unit + 1]);
    return new ByteRange(from - unitRawAt[unit], to - unitRawAt[unit]);
  }

  /** Returns the part of the object that holds a unit. */
  public PackSlice unit(int unit) {
    return slice(unit, unit + 1, List.of(), 0);
  }

  private PackSlice slice(int firstUnit, int endUnit, List<PackedRange> ranges, long skippedBytes) {
    ByteRange plain = new ByteRange(unitAt[firstUnit], unitAt[endUnit]);
    return payload
        .map(encrypted -> encrypted(encrypted, plain, ranges, skippedBytes))
        .orElseGet(
            () ->
                new PackSlice(
                    name,
                    plain,
                    ranges,
                    skippedBytes,
                    Optional.empty(),
                    digests.map(all -> checked(all, firstUnit, endUnit))));
  }

  private List<CheckedUnits.Unit> checked(List<byte[]> all, int firstUnit, int endUnit) {
    List<CheckedUnits.Unit> units = new ArrayList<>();
    for (int unit = firstUnit; unit < endUnit; unit++) {
      units.add(new CheckedUnits.Unit(directory.units().get(unit).encodedBytes(), all.get(unit)));
    }
    return units;
  }

  private PackSlice encrypted(
      Payload encrypted, ByteRange plain, List<PackedRange> ranges, long skippedBytes) {
    long firstChunk = plain.startBytes() / AgePayload.CHUNK_BYTES;
    long endChunk = Math.ceilDiv(plain.endBytes(), AgePayload.CHUNK_BYTES);
    long start = encrypted.atBytes() + firstChunk * AgePayload.SEALED_CHUNK_BYTES;
    long end = encrypted.atBytes() + endChunk * AgePayload.SEALED_CHUNK_BYTES;
    PackSlice.Chunks chunks =
        new PackSlice.Chunks(
            encrypted.key(),
            firstChunk,
            chunks(),
            plain.startBytes() - firstChunk * AgePayload.CHUNK_BYTES,
            plain.lengthBytes());
    ByteRange fetched = new ByteRange(start, Math.min(end, objectBytes()));
    return new PackSlice(
        name, fetched, ranges, skippedBytes, Optional.of(chunks), Optional.empty());
  }

  /** Returns the unit that holds the raw byte at this place. */
  private int unitOf(long rawAt) {
    int found = Arrays.binarySearch(unitRawAt, rawAt);
    return found >= 0 ? found : -found - 2;
  }
}
