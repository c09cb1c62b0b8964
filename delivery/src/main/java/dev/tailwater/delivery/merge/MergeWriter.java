package dev.tailwater.delivery.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.seal.SegmentComposer;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.HeldFrames;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes one long segment: frames that are still in memory are copied, the rest is read from the
 * file and compressed anew, all in pieces. For one thread.
 */
final class MergeWriter {
  /** What a directory likes best to be handed at once. */
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

  /** Asked before each piece. */
  interface Leave {
    /**
     * Returns when the next piece may go.
     *
     * @throws AbandonedException when none may
     */
    void await() throws AbandonedException;
  }

  /** Somebody wants the merge to end at once. */
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
   * @param compressedAnewBytes raw bytes that were read and compressed once more
   */
  record Written(PutResult result, long storedBytes, long compressedAnewBytes) {}

  /**
   * Writes and commits.
   *
   * @throws SourceBytes.GoneException bytes are needed that are not there any more
   * @throws AbandonedException as {@link Leave} says
   */
  Written write(MergePlan plan, SegmentUpload upload, Leave leave, long nowMillis)
      throws IOException {
    Piecewise target = new Piecewise(upload, leave);
    pieceBytes = 0;
    composer.begin(header(plan, nowMillis), target::accept);
    long anew = 0;
    List<ShortSegments.Part> without = new ArrayList<>();
    for (ShortSegments.Part part : plan.parts()) {
      Optional<byte[]> units = part.frames().flatMap(HeldFrames::units);
      if (units.isPresent()) {
        anew += compress(plan.stream(), without, leave);
        composer.addUnits(units.get(), part.range().lengthBytes());
      } else {
        without.add(part);
      }
    }
    anew += compress(plan.stream(), without, leave);
    composer.finish();
    target.flush();
    return new Written(target.commit(), target.storedBytes, anew);
  }

  private static SegmentHeader header(MergePlan plan, long nowMillis) {
    StreamProgress stream = plan.stream();
    StreamProgress.Attributes attributes = stream.attributes();
    return new SegmentHeader(
        SegmentHeader.VERSION,
        stream.agent(),
        stream.id(),
        plan.range(),
        attributes.path(),
        nowMillis,
        attributes.modificationTimeNanos(),
        attributes.permissions() & 07777,
        plan.rawCrc32c());
  }

  /** The segments, whose frames are gone, as one stretch; how many bytes it has. */
  private long compress(StreamProgress stream, List<ShortSegments.Part> stretch, Leave leave)
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
          leave.await();
          composer.addRaw(bytes, 0, length);
        });
    return range.lengthBytes();
  }

  /** Gathers pieces of the size that is best. */
  private final class Piecewise {
    private final SegmentUpload upload;
    private final Leave leave;
    private long storedBytes;

    Piecewise(SegmentUpload upload, Leave leave) {
      this.upload = upload;
      this.leave = leave;
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
      leave.await();
      try {
        upload.write(ByteBuffer.wrap(piece, 0, pieceBytes));
      } catch (DestinationException e) {
        throw abandonedOr(e);
      }
      storedBytes += pieceBytes;
      pieceBytes = 0;
    }

    PutResult commit() throws IOException {
      leave.await();
      try {
        return upload.commit();
      } catch (DestinationException e) {
        throw abandonedOr(e);
      }
    }

    /** An interrupt that is to end it at once looks like a failure of the destination. */
    private DestinationException abandonedOr(DestinationException failure)
        throws AbandonedException {
      leave.await();
      return failure;
    }
  }
}
