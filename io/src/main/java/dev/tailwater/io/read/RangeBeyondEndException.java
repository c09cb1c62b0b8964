package dev.tailwater.io.read;

import dev.tailwater.io.FileRange;
import dev.tailwater.posix.PosixPath;
import java.io.EOFException;

/** Bytes were asked for that the file does not have. */
public final class RangeBeyondEndException extends EOFException {
  private static final long serialVersionUID = 1L;

  private final long sizeBytes;

  RangeBeyondEndException(PosixPath path, FileRange range, long sizeBytes) {
    super(
        "%s has %d bytes, so it does not have the %s; ask sizeBytes() first, or read(), which gives what is there"
            .formatted(path, sizeBytes, range));
    this.sizeBytes = sizeBytes;
  }

  /** Throws it for a range that ends behind that size. */
  static void check(PosixPath path, FileRange range, long sizeBytes)
      throws RangeBeyondEndException {
    if (range.endBytes() > sizeBytes) {
      throw new RangeBeyondEndException(path, range, sizeBytes);
    }
  }

  /** The size of the file. */
  public long sizeBytes() {
    return sizeBytes;
  }
}
