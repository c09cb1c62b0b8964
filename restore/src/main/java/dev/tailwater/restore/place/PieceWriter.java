package dev.tailwater.restore.place;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.io.write.BlockWriter;
import dev.tailwater.io.write.BlockWriterOptions;
import dev.tailwater.io.write.WriteTrait;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.restore.read.Piece;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Places the raw bytes of a segment at their offsets in a file, straight as they are opened: one
 * copy into a native buffer, one pwrite(2) per buffer. Bytes outside the wanted range are skipped;
 * aligned blocks of zeros are not written, so that they stay holes: the range must be a hole
 * before. Not thread-safe; several writers may write to disjoint ranges of one file.
 */
final class PieceWriter extends OutputStream {
  /** A larger write gains little; a smaller one would be a call more. */
  private static final int USUAL_WRITE_BYTES = 512 * 1024;

  /** Holes of less would only cut the writes up. */
  private static final int MIN_BLOCK_BYTES = 4096;

  /** An archive may claim any offset; no file reaches so far, and {@link BlockWriter} does not. */
  static final long MAX_END_BYTES = Long.MAX_VALUE - (1L << 40);

  private final BlockWriter writer;
  private final ByteRange wanted;
  private long positionBytes;
  private @Nullable ErrnoException failure;

  private PieceWriter(BlockWriter writer, long startBytes, ByteRange wanted) {
    this.writer = writer;
    this.wanted = wanted;
    this.positionBytes = startBytes;
  }

  /**
   * How pieces are written to that mount: 512 KiB or, where the mount wants other writes, the next
   * smaller multiple of these, but at least one.
   */
  static BlockWriterOptions options(MountInfo mount) {
    BlockWriterOptions options = BlockWriterOptions.of(mount);
    int wantedBytes = options.writeBytes();
    return options
        .withWriteBytes(wantedBytes * Math.max(1, USUAL_WRITE_BYTES / wantedBytes))
        .withBlockBytes(Math.max(MIN_BLOCK_BYTES, options.blockBytes()))
        .with(WriteTrait.SPARSE, WriteTrait.KNOWN_FILE);
  }

  /**
   * @param file open for writing; its length is the caller's part
   * @param buffer of the size of a write
   * @param piece of which no byte lies behind {@link #MAX_END_BYTES}
   */
  static PieceWriter of(
      Descriptor file, BlockWriterOptions options, MemorySegment buffer, Piece piece)
      throws IOException {
    long startBytes = piece.segment().range().startBytes();
    long firstBytes = Math.max(startBytes, piece.range().startBytes());
    BlockWriter writer = BlockWriter.over(file, firstBytes, options, buffer);
    return new PieceWriter(writer, startBytes, piece.range());
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] source, int from, int lengthBytes) throws IOException {
    long end = Math.min(positionBytes + lengthBytes, wanted.endBytes());
    long at = Math.max(positionBytes, wanted.startBytes());
    if (at < end) {
      try {
        writer.write(source, from + (int) (at - positionBytes), (int) (end - at));
      } catch (ErrnoException e) {
        throw refused(e);
      }
    }
    positionBytes += lengthBytes;
  }

  /**
   * Writes what is still buffered. Not {@link #flush}, which whoever opens a segment may call in
   * the middle of a block.
   */
  void finish() throws IOException {
    try {
      writer.flush();
    } catch (ErrnoException e) {
      throw refused(e);
    }
  }

  private ErrnoException refused(ErrnoException e) {
    ErrnoException refusal = withoutAdvice(e);
    failure = refusal;
    return refusal;
  }

  /** The kernel's words alone: what the writer advises, to flush again, a restore does not. */
  static ErrnoException withoutAdvice(ErrnoException e) {
    return e.getCause() instanceof ErrnoException refusal ? refusal : e;
  }

  /** What the file system said when it refused a write; to tell it from a failed read. */
  Optional<ErrnoException> failure() {
    return Optional.ofNullable(failure);
  }

  /** Gives up what was not {@linkplain #finish finished}. */
  @Override
  public void close() throws ErrnoException {
    writer.discard();
  }
}
