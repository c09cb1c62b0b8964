package dev.tailwater.restore;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Prints the bytes of one stream in order, as they are opened. It stops at the first byte that
 * cannot be had: a program behind a pipe must not take the rest for what follows.
 */
public final class StreamPrinter {
  private final SegmentSource source;
  private final RestoreProgress progress;

  public StreamPrinter(Destination destination, ReadOptions options, RestoreProgress progress) {
    this.source = new SegmentSource(destination, options);
    this.progress = progress;
  }

  /**
   * Writes the whole stream.
   *
   * @param output not closed; not flushed
   * @return how many bytes were written: the length of the stream
   * @throws IncompleteStreamException it stopped before the known end; the message says where and
   *     why
   * @throws IOException the output refused the bytes
   */
  public long print(ArchivedStream listed, OutputStream output) throws IOException {
    Position at = new Position(output);
    ArchivedStream stream = listed;
    int listings = 0;
    Set<StoredSegment> excluded = new HashSet<>();
    while (at.bytes < stream.storedEndBytes()) {
      ByteRange rest = new ByteRange(at.bytes, stream.storedEndBytes());
      List<Piece> pieces = Cover.of(stream.segments(), rest, excluded);
      if (pieces.isEmpty() || pieces.getFirst().range().startBytes() > at.bytes) {
        if (!at.gone || listings == SegmentSource.MAX_LISTINGS) {
          break;
        }
        listings++;
        at.gone = false;
        stream = source.relisted(stream);
        continue;
      }
      for (Piece piece : pieces) {
        if (piece.range().startBytes() != at.bytes || !printOne(stream, piece, at, excluded)) {
          break;
        }
      }
    }
    if (at.bytes < stream.knownEndBytes()) {
      throw new IncompleteStreamException(stream, at.bytes, at.why(stream));
    }
    return at.bytes;
  }

  /** Whether all went well; when not, the segment is excluded and another may have its bytes. */
  private boolean printOne(
      ArchivedStream stream, Piece piece, Position at, Set<StoredSegment> excluded)
      throws IOException {
    long start = at.bytes;
    try {
      source.retry().call(() -> source.open(stream, piece.segment(), new Clipped(piece, at)));
      return true;
    } catch (ArchiveException | DestinationException e) {
      boolean damaged = !(e instanceof DestinationException);
      if (damaged && at.bytes > start) {
        // What was printed of a damaged segment cannot be taken back.
        throw new IncompleteStreamException(stream, start, e.getMessage() + UNSURE);
      }
      if (!damaged && !(e instanceof NoSuchObjectException)) {
        throw e;
      }
      at.gone |= !damaged;
      at.lastProblem = String.valueOf(e.getMessage());
      excluded.add(piece.segment());
      return false;
    }
  }

  private static final String UNSURE =
      "; what was printed behind this byte may be wrong. Hint: tailwater restore uses other"
          + " segments with the same bytes where there are any";

  /** How far the output has come. */
  private final class Position {
    private final OutputStream output;
    private long bytes;
    private boolean gone;
    private String lastProblem = "";

    Position(OutputStream output) {
      this.output = output;
    }

    void write(byte[] source, int from, int lengthBytes) throws IOException {
      output.write(source, from, lengthBytes);
      bytes += lengthBytes;
      progress.done(lengthBytes);
    }

    String why(ArchivedStream stream) {
      for (StoredGap gap : stream.gaps()) {
        if (gap.range().startBytes() <= bytes && bytes < gap.range().endBytes()) {
          return "gap: " + gap.reason();
        }
      }
      return lastProblem.isEmpty() ? "no segment has them" : lastProblem;
    }
  }

  /** Lets through what lies in the piece and was not printed before a transient failure. */
  private static final class Clipped extends OutputStream {
    private final Piece piece;
    private final Position at;
    private long offsetBytes;

    Clipped(Piece piece, Position at) {
      this.piece = piece;
      this.at = at;
      this.offsetBytes = piece.segment().range().startBytes();
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int lengthBytes) throws IOException {
      long start = Math.max(offsetBytes, at.bytes);
      long end = Math.min(offsetBytes + lengthBytes, piece.range().endBytes());
      if (start < end) {
        at.write(bytes, from + (int) (start - offsetBytes), (int) (end - start));
      }
      offsetBytes += lengthBytes;
    }
  }
}
