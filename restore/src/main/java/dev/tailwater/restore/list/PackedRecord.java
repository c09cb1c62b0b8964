package dev.tailwater.restore.list;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What packs say of one stream beside its bytes. It is told in the order of the packs, and the last
 * word of each kind counts. For one thread.
 */
final class PackedRecord {
  private final StreamId stream;
  private final PosixPath birthPath;
  private @Nullable PackName describedBy;
  private PosixPath path;
  private long pathSinceMillis;

  /** Where the last description said that the file was, and when it had come there. */
  private PosixPath describedPath;

  private OptionalLong describedArrivalNanos = OptionalLong.empty();

  /** Whether it is told since when the file is at its path. */
  private boolean isPathTold;

  private int permissions;

  /** When the file had that mode; unknown where a description tells it. */
  private long permissionsAtMillis = Long.MIN_VALUE;

  /** Whether the pack that told the mode is encrypted. */
  private boolean permissionsEncrypted;

  private Optional<FileOwner> owner = Optional.empty();
  private long sizeBytes;
  private long modificationTimeNanos;

  /** When the file had that time, by the agent's clock. */
  private long attributesAtMillis = Long.MIN_VALUE;

  private Optional<Boolean> changedInPlace = Optional.empty();
  private Optional<StreamRecord.End> end = Optional.empty();

  /** Since when packs say whether the stream has ended; a later word counts, and else another. */
  private OptionalLong endToldAtMillis = OptionalLong.empty();

  private long sealedAtMillis = Long.MIN_VALUE;
  private long deliveredAtMillis = Long.MIN_VALUE;

  PackedRecord(StreamId stream, PosixPath birthPath) {
    this.stream = stream;
    this.birthPath = birthPath;
    this.path = birthPath;
    this.describedPath = birthPath;
  }

  /**
   * Notes that a pack mentions the stream; what it says of it follows.
   *
   * @param sealedMillis when it was made, by the agent's clock
   * @param deliveredMillis when it was delivered, by the destination's clock
   */
  void mentioned(long sealedMillis, long deliveredMillis) {
    sealedAtMillis = Math.max(sealedAtMillis, sealedMillis);
    deliveredAtMillis = Math.max(deliveredAtMillis, deliveredMillis);
  }

  /**
   * Takes in a description.
   *
   * @param isLater whether the pack is later than the moment as of which the archive is read: then
   *     the file may have come later, too
   */
  void describe(PackedStream described, PackName by, boolean isLater) {
    describedBy = by;
    describedPath = described.path();
    describedArrivalNanos = isLater ? OptionalLong.empty() : described.arrivalNanos();
    permissions = described.permissions();
    permissionsAtMillis = Long.MIN_VALUE;
    permissionsEncrypted = by.encrypted();
    owner = described.owner().isPresent() ? described.owner() : owner;
    if (!described.path().equals(path)) {
      path = described.path();
      pathSinceMillis = sealedAtMillis;
    }
  }

  /** Takes back the path that a pack has described, since it may be a later one. */
  void forgetPath(PackName by) {
    if (by.equals(describedBy)) {
      path = birthPath;
    }
  }

  /** Returns when the file came to its path; empty where that is not told. */
  OptionalLong arrivalNanos() {
    return path.equals(describedPath) ? describedArrivalNanos : OptionalLong.empty();
  }

  /** Takes in a range that was sealed at that time, by the agent's clock. */
  void add(PackedRange range, long rangeSealedAtMillis) {
    if (range.revision() == 0) { // A higher one makes no stream longer.
      sizeBytes = Math.max(sizeBytes, range.range().endBytes());
    }
    noteTime(range.modificationTimeNanos(), rangeSealedAtMillis);
  }

  /** The time that was noted last counts, and that is not always in the last pack. */
  private void noteTime(long timeNanos, long atMillis) {
    if (atMillis >= attributesAtMillis) {
      modificationTimeNanos = timeNanos;
      attributesAtMillis = atMillis;
    }
  }

  /** Takes in a fact that a pack tells; gaps are not its part. */
  void add(StreamFact fact, PackName by) {
    switch (fact) {
      case StreamFact.Renamed renamed -> {
        path = renamed.path();
        pathSinceMillis = renamed.sinceMillis();
        isPathTold = true;
      }
      case StreamFact.Attributes attributes -> {
        permissions = attributes.permissions();
        permissionsAtMillis = attributes.seenAtMillis();
        permissionsEncrypted = by.encrypted();
        sizeBytes = Math.max(sizeBytes, attributes.sizeBytes());
        noteTime(attributes.modificationTimeNanos(), attributes.seenAtMillis());
      }
      case StreamFact.Ended ended -> {
        end =
            Optional.of(new StreamRecord.End(ended.reason(), ended.sizeBytes(), ended.atMillis()));
        endToldAtMillis = OptionalLong.of(ended.atMillis());
      }
      case StreamFact.Continued _ -> {
        end = Optional.empty();
        endToldAtMillis = OptionalLong.of(sealedAtMillis);
      }
      case StreamFact.ChangedInPlace changed -> changedInPlace = Optional.of(changed.changed());
      case StreamFact.Missing _, StreamFact.Dropped _ -> {}
    }
  }

  int permissions() {
    return permissions;
  }

  Optional<FileOwner> owner() {
    return owner;
  }

  /**
   * Returns how the attributes are known that {@link #toRecord} states.
   *
   * @param signed whether all that was read is signed by somebody whose signature counts
   */
  ArchivedStream.AttributesTold attributesTold(Optional<StreamRecord> other, boolean signed) {
    boolean isEncrypted = permissionsEncrypted && (other.isEmpty() || !isModeOf(other.get()));
    return new ArchivedStream.AttributesTold(attributesAtMillis, signed || isEncrypted);
  }

  /** Returns when the last of it was made, by the agent's clock. */
  long sealedAtMillis() {
    return sealedAtMillis;
  }

  /** Returns when the last of it was delivered, by the destination's clock. */
  long deliveredAtMillis() {
    return deliveredAtMillis;
  }

  /** A pack may be later than the record and say nothing of an end, which an earlier one told. */
  private Optional<StreamRecord.End> endBeside(StreamRecord other) {
    boolean otherIsLater =
        endToldAtMillis.isEmpty() || other.toldAtMillis() > endToldAtMillis.getAsLong();
    return otherIsLater ? other.end() : end;
  }

  /**
   * Returns whether the file came to the path of another record after the one that packs describe:
   * a merged pack may be sealed long after its descriptions were made.
   */
  boolean isLeftFor(StreamRecord other) {
    if (other.paths().isEmpty()) {
      return false;
    }
    StreamRecord.KnownPath last = other.paths().getLast();
    OptionalLong arrivalNanos = arrivalNanos();
    return arrivalNanos.isPresent()
        && last.arrivalNanos().isPresent()
        && last.arrivalNanos().getAsLong() > arrivalNanos.getAsLong();
  }

  /**
   * Returns it as a record.
   *
   * @param other the stream's record outside of packs, which may know what packs do not say
   */
  StreamRecord toRecord(Optional<StreamRecord> other) {
    return other.isPresent() ? beside(other.get()) : alone();
  }

  /** What nearly all streams of packs have: nothing but packs tells of them. */
  private StreamRecord alone() {
    return new StreamRecord(
        stream,
        birthPath,
        paths(),
        end,
        sizeBytes,
        permissions,
        modificationTimeNanos,
        changedInPlace.isPresent() && changedInPlace.get(),
        owner);
  }

  private StreamRecord beside(StreamRecord other) {
    boolean isLeft = isLeftFor(other);
    Optional<FileOwner> first = isLeft ? other.owner() : owner;
    Optional<FileOwner> second = isLeft ? owner : other.owner();
    return new StreamRecord(
        stream,
        birthPath,
        isLeft ? other.paths() : paths(),
        endBeside(other),
        sizeBytes,
        isModeOf(other) ? other.permissions() : permissions,
        modificationTimeNanos,
        changedInPlace.orElse(other.changedInPlace()),
        first.isPresent() ? first : second);
  }

  /** Returns whether another record tells the mode, and later. */
  private boolean isModeOf(StreamRecord other) {
    return isLeftFor(other) && other.toldAtMillis() > permissionsAtMillis;
  }

  private List<StreamRecord.KnownPath> paths() {
    return path.equals(birthPath) && !isPathTold
        ? List.of()
        : List.of(new StreamRecord.KnownPath(path, pathSinceMillis));
  }
}
