package dev.tailwater.io.async;

import dev.tailwater.posix.ErrnoException;
import java.util.Optional;

/**
 * The result of one read.
 *
 * @param bytes the number of bytes in the target: all that fit, or fewer at the end of the file; 0
 *     if the read failed
 * @param failure why it failed: EIO, EBADF (the descriptor was closed), EINVAL (not aligned, with
 *     {@link dev.tailwater.posix.value.OpenFlag#DIRECT}), ESTALE...
 */
public record ReadResult(int bytes, Optional<ErrnoException> failure) {
  /** Returns the bytes, or throws the failure. */
  public int bytesOrThrow() throws ErrnoException {
    if (failure.isPresent()) {
      throw failure.get();
    }
    return bytes;
  }
}
