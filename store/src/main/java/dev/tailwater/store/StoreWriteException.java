package dev.tailwater.store;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;

/** Thrown when a write was not made and nothing else has changed: the store goes on. */
public final class StoreWriteException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** For the store in this directory, for this reason. */
  public StoreWriteException(PosixPath directory, Throwable cause) {
    super(
        "nothing was written to store " + directory + ": " + messageOf(cause),
        hintFor(cause),
        cause);
  }

  private static String messageOf(Throwable cause) {
    return cause instanceof Exception failed
        ? ErrnoException.messageForUser(failed)
        : String.valueOf(cause.getMessage());
  }

  private static String hintFor(Throwable cause) {
    if (cause instanceof ErrnoException failed) {
      return switch (failed.errno()) {
        case ENOSPC, EDQUOT -> "Free some space there; later writes work again without a restart.";
        case EMFILE, ENFILE ->
            "Raise the limit of open files (ulimit -n, LimitNOFILE) of this process.";
        case EFBIG -> "Raise the file size limit (ulimit -f) of this process.";
        default -> "Look for disk errors in the kernel's log; the write can be tried again.";
      };
    }
    return "The write can be tried again.";
  }
}
