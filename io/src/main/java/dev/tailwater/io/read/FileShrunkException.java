package dev.tailwater.io.read;

import dev.tailwater.posix.PosixPath;
import java.io.IOException;

/**
 * A file was cut off while it was being read: bytes that it had are gone. What was read in the same
 * call must not be used.
 */
public final class FileShrunkException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long expectedBytes;
  private final long sizeBytes;

  FileShrunkException(PosixPath path, String what, long expectedBytes, long sizeBytes) {
    super(
        "%s shrank while it was read: %s need a file of %d bytes, and it has %d now; whoever writes it truncated it, so start again with what is left"
            .formatted(path, what, expectedBytes, sizeBytes));
    this.expectedBytes = expectedBytes;
    this.sizeBytes = sizeBytes;
  }

  /** The size that the file had at least, when it was mapped or its size was asked. */
  public long expectedBytes() {
    return expectedBytes;
  }

  /** The size that it has now; one that grew again meanwhile can have more than was expected. */
  public long sizeBytes() {
    return sizeBytes;
  }
}
