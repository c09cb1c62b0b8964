package dev.tailwater.store;

import dev.tailwater.posix.PosixPath;

/**
 * The store cannot know any more what is durable, and takes no more writes; what was acknowledged
 * before stays readable. After a failed fdatasync(2) the kernel may have dropped the dirty pages
 * and marked them clean, so that trying again would succeed without having written anything.
 *
 * <p>The write that met the failure may or may not be there after the store is opened again.
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
