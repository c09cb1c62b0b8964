package dev.tailwater.restore.place;

import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.read.LocalBytes;
import dev.tailwater.restore.read.Piece;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A comparison of the bytes of a piece, as they come, with those of a file. For one thread. */
public final class PieceComparison extends OutputStream {
  private final Piece piece;
  private final LocalBytes local;
  private final int fd;
  private byte[] here = new byte[0];
  private long positionBytes;
  private OptionalLong firstDifference = OptionalLong.empty();

  /** Creates the comparison; what is written to it is the piece's segment from its first byte. */
  private PieceComparison(Piece piece, LocalBytes local, int fd) {
    this.piece = piece;
    this.local = local;
    this.fd = fd;
    this.positionBytes = piece.segment().range().startBytes();
  }

  /**
   * Opens the segment of a piece, and compares it with a file.
   *
   * @param opened gets the segment's header
   */
  public static PieceComparison run(
      SegmentSource source,
      ArchivedStream stream,
      Piece piece,
      LocalBytes local,
      int fd,
      Consumer<SegmentHeader> opened)
      throws IOException {
    AtomicLong takenBytes = new AtomicLong();
    return source
        .retry()
        .call(
            () -> {
              PieceComparison attempt = new PieceComparison(piece, local, fd);
              try {
                opened.accept(source.open(stream, piece.segment(), attempt));
                return attempt;
              } finally {
                takenBytes.addAndGet(attempt.positionBytes - piece.segment().range().startBytes());
              }
            },
            takenBytes::get);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int lengthBytes) throws IOException {
    long start = Math.max(positionBytes, piece.range().startBytes());
    long end = Math.min(positionBytes + lengthBytes, piece.range().endBytes());
    if (start < end && isSame()) {
      compare(bytes, from + (int) (start - positionBytes), start, (int) (end - start));
    }
    positionBytes += lengthBytes;
  }

  private void compare(byte[] bytes, int from, long offsetBytes, int lengthBytes)
      throws IOException {
    if (here.length < lengthBytes) {
      here = new byte[lengthBytes];
    }
    int count = local.read(fd, offsetBytes, here, 0, lengthBytes);
    int same = Arrays.mismatch(here, 0, count, bytes, from, from + lengthBytes);
    if (same >= 0) {
      firstDifference = OptionalLong.of(offsetBytes + same);
    }
  }

  /** Returns whether the file has all bytes that came. */
  public boolean isSame() {
    return firstDifference.isEmpty();
  }

  /** Returns the offset of the first byte that the file has otherwise, or not at all. */
  public OptionalLong firstDifference() {
    return firstDifference;
  }
}
