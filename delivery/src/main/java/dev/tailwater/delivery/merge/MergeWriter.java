package dev.tailwater.delivery.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.seal.SegmentComposer;
import dev.tailwater.delivery.deliver.HeldFrames;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes a long segment in pieces: frames that are still in memory are copied, and the rest is read
 * from the file and compressed again. For one thread.
 */
final class MergeWriter {
  /** The length of writes that suits a directory best. */
  private static final int PIECE_BYTES = 256 * 1024;

  private final SegmentComposer composer;
  private final SourceBytes source;
  private final byte[] block;
  private final byte[] piece = new byte[PIECE_BYTES];
  private int pieceBytes;

  MergeWriter(SegmentComposer composer, SourceBytes source) {
    this.composer = composer;
    this.source = source;
    this.block = new byte[composer.blockBytes()];
  }

  /** Waits before each piece, so that others go first. */
  interface Turn {
    /**
     * Waits until the next piece may be written.
     *
     * @throws AbandonedException when the merge is to end
     */
    void await() throws AbandonedException;
  }

  /** Thrown when a merge is to end at once. */
  static final class AbandonedException extends IOException {
    private static final long serialVersionUID = 1L;

    AbandonedException() {
      super("the merge is abandoned");
    }
  }

  /**
   * What was written.
   *
   * @param storedBytes length of the object
   * @param compressedAnewBytes raw bytes that were read and compressed again
   */
  record Written(PutResult result, long storedBytes, long compressedAnewBytes) {}

  /**
   * Writes and commits the segment.
   *
   * @throws SourceBytes.GoneException when bytes are needed that cannot be had any more
   * @throws AbandonedException when {@link Turn} throws it
   */
  Written write(MergePlan plan, SegmentUpload upload, Turn turn, long nowMillis)
      throws IOException {
    PieceBuffer target = new PieceBuffer(upload, turn);
    pieceBytes = 0;
    SegmentHeader header = header(plan, nowMillis);
    composer.begin(header, plan.stream().streamPrefix(), target::accept);
    long anew = 0;
    List<ShortSegments.Part> without = new ArrayList<>();
    for (ShortSegments.Part part : plan.parts()) {
      Optional<byte[]> units = part.frames().flatMap(HeldFrames::units);
      if (units.isPresent()) {
        anew += compress(plan.stream(), without, turn);
        composer.addUnits(units.get(), part.range().lengthBytes());
      } else {
        without.add(part);
      }
    }
    anew += compress(plan.stream(), without, turn);
    composer.finish();
    target.flush();
    PutResult result = target.commit();
    plan.stream().statesTime(header.modificationTimeNanos(), header.sealedAtMillis());
    return new Written(result, target.storedBytes, anew);
  }

  private static SegmentHeader header(MergePlan plan, long nowMillis) {
    StreamProgress stream = plan.stream();
    StreamProgress.Attributes attributes = stream.attributes();
    long sealedAtMillis = stream.tellableMillis(nowMillis);
    stream.toldAt(sealedAtMillis);
    return new SegmentHeader(
        SegmentHeader.VERSION,
        stream.agent(),
        stream.id(),
        plan.range(),
        attributes.path(),
        sealedAtMillis,
        attributes.modificationTimeNanos(),
        attributes.permissions() & 07777,
        plan.rawCrc32c(),
        true,
        attributes.owner(),
        attributes.place().arrivalNanos());
  }

  /** Compresses adjacent segments without frames again; returns how many bytes they have. */
  private long compress(StreamProgress stream, List<ShortSegments.Part> stretch, Turn turn)
      throws IOException {
    if (stretch.isEmpty()) {
      return 0;
    }
    ByteRange range =
        new ByteRange(
            stretch.getFirst().range().startBytes(), stretch.getLast().range().endBytes());
    int crc = MergePlan.rawCrc32c(stretch);
    stretch.clear();
    source.read(
        stream,
        range,
        crc,
        block,
        (bytes, length) -> {
          turn.await();
          composer.addRaw(bytes, 0, length);
        });
    return range.lengthBytes();
  }

  /** Collects bytes into pieces of the best length. */
  private final class PieceBuffer {
    private final SegmentUpload upload;
    private final Turn turn;
    private long storedBytes;

    PieceBuffer(SegmentUpload upload, Turn turn) {
      this.upload = upload;
      this.turn = turn;
    }

    void accept(byte[] bytes, int from, int lengthBytes) throws IOException {
      int at = from;
      while (at < from + lengthBytes) {
        if (pieceBytes == piece.length) {
          flush();
        }
        int count = Math.min(from + lengthBytes - at, piece.length - pieceBytes);
        System.arraycopy(bytes, at, piece, pieceBytes, count);
        pieceBytes += count;
        at += count;
      }
    }

    void flush() throws IOException {
      turn.await();
      try {
        upload.write(ByteBuffer.wrap(piece, 0, pieceBytes));
      } catch (DestinationException e) {
        throw abandonedOr(e);
      }
      storedBytes += pieceBytes;
      pieceBytes = 0;
    }

    PutResult commit() throws IOException {
      turn.await();
      try {
        return upload.commit();
      } catch (DestinationException e) {
        throw abandonedOr(e);
      }
    }

    /** Returns the failure, unless it comes from the interrupt that abandons the merge. */
    private DestinationException abandonedOr(DestinationException failure)
        throws AbandonedException {
      turn.await();
      return failure;
    }
  }
}
