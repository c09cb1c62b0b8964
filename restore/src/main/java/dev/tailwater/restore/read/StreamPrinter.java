package dev.tailwater.restore.read;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.NoIdentityException;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.StoredGap;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Prints the bytes of one stream in order. It stops at the first byte that no segment has: a
 * program behind a pipe must not take the rest for what follows.
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
   * @return what was written: the whole stream
   * @throws NoIdentityException nothing was written, since no identity opens the stream
   * @throws IncompleteStreamException it stopped before the known end; the message says where and
   *     why
   * @throws IOException the output refused the bytes
   */
  public Printed print(ArchivedStream listed, OutputStream output) throws IOException {
    if (listed.segments().isEmpty() && !listed.refused().isEmpty()) {
      throw new IncompleteStreamException(listed, 0, listed.refusals().getFirst().why() + ALLOW);
    }
    Position at = new Position(output, OverlapCheck.of(listed));
    ArchivedStream stream = listed;
    int listings = 0;
    Set<StoredSegment> excluded = new HashSet<>();
    while (at.bytes < stream.storedEndBytes()) {
      ByteRange rest = new ByteRange(at.bytes, stream.storedEndBytes());
      List<Piece> pieces = Cover.of(stream, rest, excluded);
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
    if (at.bytes == 0 && at.locked != null) {
      throw at.locked;
    }
    if (at.bytes > at.verifiedBytes) {
      throw at.unsure(stream);
    }
    if (at.bytes < stream.knownEndBytes()) {
      throw new IncompleteStreamException(stream, at.bytes, at.why(stream));
    }
    List<Damage> damages = compareOverlaps(stream, at, excluded);
    damages.addAll(at.overlap.conflicts());
    damages.addAll(stream.refusals());
    listed.damages().stream().filter(one -> one.kind() == Damage.Kind.UNTOLD).forEach(damages::add);
    stream.damages().stream().filter(one -> !listed.damages().contains(one)).forEach(damages::add);
    return new Printed(at.bytes, damages);
  }

  /**
   * What was printed.
   *
   * @param bytes the length of the stream
   * @param damages what is wrong with segments that have some of these bytes too, or were refused
   */
  public record Printed(long bytes, List<Damage> damages) {
    public Printed {
      damages = List.copyOf(damages);
    }

    /** Whether the archive has other bytes too for what was printed, or refused ones. */
    public boolean isDoubtful() {
      return damages.stream()
          .anyMatch(
              one ->
                  switch (one.kind()) {
                    case CONTRADICTED, REFUSED, UNTOLD, UNSIGNED, FORGED -> true;
                    case DAMAGED, LOCKED, UNREADABLE -> false;
                  });
    }
  }

  /** Opens the segments that were not needed and have bytes that others have too. */
  private List<Damage> compareOverlaps(
      ArchivedStream stream, Position at, Set<StoredSegment> excluded) throws IOException {
    List<Damage> damages = new ArrayList<>();
    if (at.overlap.isEmpty()) {
      return damages;
    }
    for (StoredSegment segment : stream.segments()) {
      if (!excluded.contains(segment) && at.overlap.wants(stream.keyOf(segment), segment)) {
        try {
          at.overlap.compare(source, stream, segment);
        } catch (NoSuchObjectException e) {
          // It was merged into a longer one meanwhile, and nothing of it was printed.
          excluded.add(segment);
        } catch (ArchiveException e) {
          damages.add(Damage.of(e));
        }
      }
    }
    return damages;
  }

  /** Returns whether the piece was printed; if not, another segment may have its bytes. */
  private boolean printOne(
      ArchivedStream stream, Piece piece, Position at, Set<StoredSegment> excluded)
      throws IOException {
    long start = at.bytes;
    try {
      String key = stream.keyOf(piece.segment());
      source
          .retry()
          .call(
              () -> {
                OverlapCheck.Hasher hasher = at.overlap.hasher(key, piece.segment());
                Repeat repeat = new Repeat(at);
                source.open(stream, piece.segment(), new Clipped(piece, at, hasher, repeat));
                if (!repeat.isTheSame()) {
                  throw at.unsure(stream);
                }
                return hasher;
              },
              () -> at.takenBytes)
          .accept();
      at.noteVerified();
      return true;
    } catch (ArchiveException | DestinationException e) {
      boolean damaged = !(e instanceof DestinationException);
      if (damaged && at.bytes > start) {
        // What was printed of a damaged segment cannot be taken back.
        throw new IncompleteStreamException(stream, at.verifiedBytes, e.getMessage() + UNSURE);
      }
      if (!damaged && !(e instanceof NoSuchObjectException)) {
        throw e;
      }
      if (e instanceof NoIdentityException locked) {
        at.locked = locked;
      }
      at.gone |= !damaged;
      at.lastProblem = String.valueOf(e.getMessage());
      excluded.add(piece.segment());
      return false;
    }
  }

  private static final String ALLOW = ". Hint: --allow-plain takes segments that are not";

  private static final String OTHER_BYTES =
      "the destination did not give the same bytes when it was read again after a failure";

  private static final String UNSURE =
      "; what was printed after this byte may be wrong. Hint: tailwater restore uses other"
          + " segments with the same bytes where there are any";

  /** How far the output has come. */
  private final class Position {
    private final OutputStream output;
    private final OverlapCheck overlap;
    private long bytes;

    /** How many came, also those that had come before. */
    private long takenBytes;

    /** Up to where everything came from segments that were read to their end and are whole. */
    private long verifiedBytes;

    /** Of what was printed behind that, by a hash that nobody can forge. */
    private final MessageDigest unverified = sha256();

    private @Nullable NoIdentityException locked;
    private boolean gone;
    private String lastProblem = "";

    Position(OutputStream output, OverlapCheck overlap) {
      this.output = output;
      this.overlap = overlap;
    }

    void write(byte[] source, int from, int lengthBytes) throws IOException {
      unverified.update(source, from, lengthBytes);
      output.write(source, from, lengthBytes);
      bytes += lengthBytes;
      progress.done(lengthBytes);
    }

    void noteVerified() {
      verifiedBytes = bytes;
      unverified.reset();
    }

    IncompleteStreamException unsure(ArchivedStream stream) {
      return new IncompleteStreamException(stream, verifiedBytes, OTHER_BYTES + UNSURE);
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

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** The comparison of an attempt with what failed attempts have printed, which is unverified. */
  private static final class Repeat {
    private final long startBytes;
    private final long endBytes;
    private final byte[] before;
    private final MessageDigest again = sha256();

    Repeat(Position at) {
      this.startBytes = at.verifiedBytes;
      this.endBytes = at.bytes;
      this.before = copy(at.unverified).digest();
    }

    private static MessageDigest copy(MessageDigest digest) {
      try {
        return (MessageDigest) digest.clone();
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException("SHA-256 of every JVM can be copied", e);
      }
    }

    /** Takes bytes of the segment that begin at an offset of the stream. */
    void take(byte[] bytes, int from, int lengthBytes, long offsetBytes) {
      long start = Math.max(offsetBytes, startBytes);
      long end = Math.min(offsetBytes + lengthBytes, endBytes);
      if (start < end) {
        again.update(bytes, from + (int) (start - offsetBytes), (int) (end - start));
      }
    }

    /** Whether the attempt had what was printed before; for one call, when it is over. */
    boolean isTheSame() {
      return MessageDigest.isEqual(before, again.digest());
    }
  }

  /** Lets through what lies in the piece and was not printed before a transient failure. */
  private static final class Clipped extends OutputStream {
    private final Piece piece;
    private final Position at;
    private final OverlapCheck.Hasher hasher;
    private final Repeat repeat;
    private long offsetBytes;

    Clipped(Piece piece, Position at, OverlapCheck.Hasher hasher, Repeat repeat) {
      this.piece = piece;
      this.at = at;
      this.hasher = hasher;
      this.repeat = repeat;
      this.offsetBytes = piece.segment().range().startBytes();
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int lengthBytes) throws IOException {
      at.takenBytes += lengthBytes;
      repeat.take(bytes, from, lengthBytes, offsetBytes);
      long start = Math.max(offsetBytes, at.bytes);
      long end = Math.min(offsetBytes + lengthBytes, piece.range().endBytes());
      if (start < end) {
        at.write(bytes, from + (int) (start - offsetBytes), (int) (end - start));
      }
      hasher.write(bytes, from, lengthBytes);
      offsetBytes += lengthBytes;
    }
  }
}
