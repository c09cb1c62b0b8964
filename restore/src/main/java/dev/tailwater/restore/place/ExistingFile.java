package dev.tailwater.restore.place;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.read.Cover;
import dev.tailwater.restore.read.LocalBytes;
import dev.tailwater.restore.read.Piece;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The comparison of a file that already has the name with what would be restored, by the checksums
 * in the segments. Only their headers are fetched, except where a revision has replaced a part.
 */
final class ExistingFile {
  enum Verdict {
    /** It has every byte that the archive has, and no other. */
    SAME,
    /**
     * Less than that, but nothing else: what it does not have of the archive is zeros or behind its
     * end. An earlier restore left it so. Replacing it loses nothing.
     */
    LESS,
    /** It has bytes that the archive does not have. */
    DIFFERENT
  }

  private final FileCalls calls;
  private final SegmentSource source;

  ExistingFile(FileCalls calls, SegmentSource source) {
    this.calls = calls;
    this.source = source;
  }

  /** Compares; segments may be merged meanwhile. */
  Verdict compare(int fd, ArchivedStream listed, List<Piece> pieces) throws IOException {
    ArchivedStream stream = listed;
    List<Piece> left = pieces;
    Set<StoredSegment> gone = new HashSet<>();
    for (int listings = 0; ; listings++) {
      try {
        Verdict verdict = compareListed(fd, stream, left);
        // Zeros are no substitute for what was listed and is lost.
        boolean lacksLost = !gone.isEmpty() && !isAll(stream, left);
        return verdict == Verdict.SAME && lacksLost ? Verdict.LESS : verdict;
      } catch (NoSuchObjectException e) {
        if (listings == SegmentSource.MAX_LISTINGS) {
          throw e;
        }
        for (StoredSegment segment : stream.segments()) {
          if (stream.keyOf(segment).equals(e.key())) {
            gone.add(segment);
          }
        }
        stream = source.relisted(stream);
        left = Cover.of(stream, new ByteRange(0, stream.storedEndBytes()), gone);
      }
    }
  }

  private static boolean isAll(ArchivedStream stream, List<Piece> pieces) {
    RangeSet given = new RangeSet();
    pieces.forEach(piece -> given.add(piece.range()));
    return stream.covered().ranges().stream().allMatch(given::contains);
  }

  private Verdict compareListed(int fd, ArchivedStream stream, List<Piece> pieces)
      throws IOException {
    long size = calls.fstat(fd).sizeBytes();
    long stored = stream.storedEndBytes();
    if (size > stored) {
      return Verdict.DIFFERENT;
    }
    boolean same = size == stored;
    RangeSet covered = new RangeSet();
    Set<StoredSegment> replaced = Cover.replacedInPart(stream);
    try (LocalBytes local = new LocalBytes(calls)) {
      for (Piece piece : pieces) {
        covered.add(piece.range());
        if (piece.range().startBytes() >= size) {
          same = false;
        } else if (!(replaced.contains(piece.segment())
            ? hasPart(local, fd, stream, piece)
            : matches(local, fd, stream, piece.segment()))) {
          if (!local.isZero(fd, piece.range())) {
            return Verdict.DIFFERENT;
          }
          same = false;
        }
      }
      for (ByteRange hole : covered.missing(new ByteRange(0, size))) {
        if (!local.isZero(fd, hole)) {
          return Verdict.DIFFERENT;
        }
      }
    }
    return same ? Verdict.SAME : Verdict.LESS;
  }

  /** Whether a file has the bytes of a piece that is all that counts of its segment. */
  private boolean hasPart(LocalBytes local, int fd, ArchivedStream stream, Piece piece)
      throws IOException {
    try {
      return PieceComparison.run(source, stream, piece, local, fd, _ -> {}).isSame();
    } catch (ArchiveException unreadable) {
      return false; // Whether it would be the same, nobody can tell.
    }
  }

  /** Whether a file has the bytes of a segment, as far as the segment's checksum can say. */
  boolean matches(LocalBytes local, int fd, ArchivedStream stream, StoredSegment segment)
      throws IOException {
    OptionalInt here = local.crc32c(fd, segment.range());
    return source.compare(stream, segment, here).sameness() == SegmentSource.Sameness.SAME;
  }
}
