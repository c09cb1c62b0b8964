package dev.tailwater.restore.read;

import dev.tailwater.posix.EscapedPath;
import dev.tailwater.restore.list.ArchivedStream;
import java.io.IOException;

/** Printing stopped before the end of a stream. A command ends with exit code 3. */
public final class IncompleteStreamException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long offsetBytes;

  IncompleteStreamException(ArchivedStream stream, long offsetBytes, String why) {
    super(
        EscapedPath.of(stream.path())
            + " ("
            + stream.id()
            + "): nothing to be had from byte "
            + offsetBytes
            + ": "
            + why);
    this.offsetBytes = offsetBytes;
  }

  /** The first byte of the stream that is missing, or not certain. */
  public long offsetBytes() {
    return offsetBytes;
  }
}
