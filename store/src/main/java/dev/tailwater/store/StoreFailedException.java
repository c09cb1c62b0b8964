package dev.tailwater.store;

import dev.tailwater.posix.PosixPath;

/**
 * Thrown when the store no longer knows what is durable and takes no more writes; acknowledged
 * writes stay readable. After a failed fdatasync(2) the kernel may have dropped the dirty pages and
 * marked them clean, so that another attempt would succeed without writing anything.
 *
 * <p>The write that failed may or may not be there after the store is opened again.
 */
public final class StoreFailedException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** For the store in this directory, for this reason. */
  public StoreFailedException(PosixPath directory, Throwable cause) {
    super(
        "store " + directory + " takes no more writes: " + cause.getMessage(),
        "Look for disk errors in the kernel's log, then start again: opening the store finds out"
            + " what is on disk.",
        cause);
  }
}
