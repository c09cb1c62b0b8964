package dev.tailwater.restore.place;

import dev.tailwater.restore.read.Piece;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** A comparison of the bytes of a piece, as they come, with those of a file. For one thread. */
final class PieceComparison extends OutputStream {
  private final Piece piece;
  private final LocalBytes local;
  private final int fd;
  private byte[] here = new byte[0];
  private long positionBytes;
  private boolean same = true;

  PieceComparison(Piece piece, LocalBytes local, int fd) {
    this.piece = piece;
    this.local = local;
    this.fd = fd;
    this.positionBytes = piece.segment().range().startBytes();
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int lengthBytes) throws IOException {
    long start = Math.max(positionBytes, piece.range().startBytes());
    long end = Math.min(positionBytes + lengthBytes, piece.range().endBytes());
    if (same && start < end) {
      int length = (int) (end - start);
      if (here.length < length) {
        here = new byte[length];
      }
      int at = from + (int) (start - positionBytes);
      same =
          local.read(fd, start, here, 0, length) == length
              && Arrays.equals(here, 0, length, bytes, at, at + length);
    }
    positionBytes += lengthBytes;
  }

  boolean isSame() {
    return same;
  }
}
