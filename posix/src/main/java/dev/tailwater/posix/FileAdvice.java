package dev.tailwater.posix;

import dev.tailwater.posix.value.Advice;

/**
 * Advice about a file that only makes things faster, so that a kernel that takes none is no reason
 * to fail.
 */
public final class FileAdvice {
  private FileAdvice() {}

  /**
   * As {@link ReadCalls#fadvise}. Does nothing where the call is missing: {@code ENOSYS} from a
   * kernel that was built without it, {@code ENOSYS} or {@code EPERM} from a sandbox.
   *
   * @throws ErrnoException EBADF, EINVAL, ESPIPE, which are mistakes of the caller
   */
  public static void give(
      ReadCalls calls, int fd, long offsetBytes, long lengthBytes, Advice advice)
      throws ErrnoException {
    try {
      calls.fadvise(fd, offsetBytes, lengthBytes, advice);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOSYS && e.errno() != Errno.EPERM) {
        throw e;
      }
    }
  }
}
