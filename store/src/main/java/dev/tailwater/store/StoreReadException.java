package dev.tailwater.store;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;

/** Thrown when a value could not be read; it may or may not be damaged. Nothing was changed. */
public final class StoreReadException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** At this place of this file. */
  public StoreReadException(PosixPath file, long offsetBytes, ErrnoException cause) {
    super(
        "cannot read "
            + file
            + " of the store at offset "
            + offsetBytes
            + ": "
            + cause.getMessage(),
        "Look for disk errors in the kernel's log. Other keys can still be read, and this one can"
            + " be tried again.",
        cause);
  }
}
