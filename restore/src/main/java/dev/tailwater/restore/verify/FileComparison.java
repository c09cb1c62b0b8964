package dev.tailwater.restore.verify;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.attribute.FileAttributes;
import dev.tailwater.restore.attribute.KnownAttributes;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.list.SegmentSource.Sameness;
import dev.tailwater.restore.place.PieceComparison;
import dev.tailwater.restore.read.Cover;
import dev.tailwater.restore.read.LocalBytes;
import dev.tailwater.restore.read.Piece;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares one open file with its stream: segment by segment by the checksums that the objects
 * state; where one differs or states nothing that can be compared, the segment is opened, if it can
 * be, to find the first byte that differs. For one use by one thread.
 */
final class FileComparison {
  /** A restore gives a file set-user-id, set-group-id and sticky bits only with its owner. */
  private static final int OWNED_BITS = 07000;

  /** Finding the byte costs a fetch; a file that is altogether different need not cost them all. */
  private static final int MAX_LOCATED = 8;

  private final SegmentSource source;
  private final LocalBytes local;
  private final Descriptor file;
  private final RestoreProgress progress;
  private final List<Difference> differences = new ArrayList<>();
  private final List<String> unknown = new ArrayList<>();
  private final Set<StoredSegment> excluded = new HashSet<>();
  private final Set<StoredSegment> whole = new HashSet<>();
  private final RangeSet compared = new RangeSet();
  private ArchivedStream stream;
  private Set<StoredSegment> replaced = Set.of();
  private @Nullable ArchivedStream replacedOf;
  private final KnownAttributes attributes;

  /** Whether a segment that nobody could open here may tell newer attributes. */
  private boolean attributesLocked;

  FileComparison(
      SegmentSource source,
      LocalBytes local,
      Descriptor file,
      ArchivedStream stream,
      RestoreProgress progress) {
    this.source = source;
    this.local = local;
    this.file = file;
    this.stream = stream;
    this.progress = progress;
    this.attributes = new KnownAttributes(stream);
  }

  void run() throws IOException {
    for (int listings = 0; ; listings++) {
      boolean gone = false;
      for (ByteRange range : compared.missing(new ByteRange(0, stream.storedEndBytes()))) {
        for (Piece piece : Cover.of(stream, range, excluded)) {
          gone |= !compareUnlessGone(piece);
        }
      }
      if (!gone) {
        compareTheRest();
        return;
      }
      if (listings == SegmentSource.MAX_LISTINGS) {
        unknown.add("its objects vanish while they are read");
        return;
      }
      stream = source.relisted(stream);
    }
  }

  /** Segments of which the file needed only a part, or nothing: they must agree with it too. */
  private void compareTheRest() throws IOException {
    for (StoredSegment segment : stream.segments()) {
      if (!excluded.contains(segment)
          && !whole.contains(segment)
          && !replaced().contains(segment)) {
        try {
          OptionalInt here = local.crc32c(file.fd(), segment.range());
          if (stated(segment, here) == Sameness.DIFFERENT && !isKnownToDiffer(segment.range())) {
            differences.add(new Difference(segment.range(), OptionalLong.empty()));
          }
        } catch (NoSuchObjectException e) {
          // It was merged into a longer one meanwhile.
          excluded.add(segment);
        }
      }
    }
  }

  /** Compares by what a segment states, and learns its attributes. */
  private Sameness stated(StoredSegment segment, OptionalInt here) throws IOException {
    SegmentSource.Comparison comparison = source.compare(stream, segment, here);
    comparison.header().ifPresent(attributes::add);
    attributesLocked |= comparison.header().isEmpty() && segment.encrypted();
    return comparison.sameness();
  }

  private Set<StoredSegment> replaced() {
    if (replacedOf != stream) {
      replaced = Cover.replacedInPart(stream);
      replacedOf = stream;
    }
    return replaced;
  }

  private boolean isKnownToDiffer(ByteRange range) {
    return differences.stream()
        .map(Difference::range)
        .anyMatch(
            one -> one.startBytes() < range.endBytes() && range.startBytes() < one.endBytes());
  }

  private boolean compareUnlessGone(Piece piece) throws IOException {
    try {
      compare(piece);
      compared.add(piece.range());
      if (piece.range().equals(piece.segment().range())) {
        whole.add(piece.segment());
      }
      progress.done(piece.range().lengthBytes());
      return true;
    } catch (NoSuchObjectException e) {
      excluded.add(piece.segment());
      return false;
    }
  }

  private void compare(Piece piece) throws IOException {
    OptionalInt here = local.crc32c(file.fd(), piece.segment().range());
    Sameness stated =
        replaced().contains(piece.segment()) ? Sameness.UNKNOWN : stated(piece.segment(), here);
    if (stated == Sameness.SAME) {
      return;
    }
    if (stated == Sameness.DIFFERENT && differences.size() >= MAX_LOCATED) {
      differences.add(new Difference(piece.range(), OptionalLong.empty()));
      return;
    }
    try {
      PieceComparison comparison =
          PieceComparison.run(source, stream, piece, local, file.fd(), attributes::add);
      if (!comparison.isSame()) {
        differences.add(new Difference(piece.range(), comparison.firstDifference()));
      }
    } catch (ArchiveException e) {
      if (stated == Sameness.DIFFERENT) {
        differences.add(new Difference(piece.range(), OptionalLong.empty()));
      } else {
        unknown.add(ErrnoException.messageForUser(e));
      }
    }
  }

  List<Difference> differences() {
    return differences;
  }

  /** Compares mode, owner and extended attributes of the file. */
  AttributeComparison attributes(AttributeDifferences compared) throws IOException {
    Optional<String> extended = compared.ofExtended(stream, file);
    Optional<FileAttributes> told = attributes.newest();
    if (attributesLocked || told.isEmpty()) {
      return new AttributeComparison(extended, attributesLocked);
    }
    FileStatus now = file.calls().fstat(file.fd());
    Optional<String> others =
        compared.of(told.get().permissions(), OWNED_BITS, told.get().owner(), now);
    return new AttributeComparison(AttributeDifferences.both(others, extended), false);
  }

  /** Why something could not be compared. */
  List<String> unknown() {
    return unknown;
  }

  /** How many bytes were found to be the same. */
  long sameBytes() {
    RangeSet different = new RangeSet();
    differences.forEach(difference -> different.add(difference.range()));
    return compared.totalBytes() - different.totalBytes();
  }

  /** What the file has and no segment, nor a gap that is one in the file too. */
  List<ByteRange> undelivered() throws IOException {
    RangeSet known = stream.covered();
    for (ByteRange gap : stream.unstoredGaps()) {
      if (local.isZero(file.fd(), gap)) {
        known.add(gap);
      }
    }
    return known.missing(new ByteRange(0, file.calls().fstat(file.fd()).sizeBytes()));
  }
}
