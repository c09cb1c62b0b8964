package dev.tailwater.restore.place;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.util.Set;

/**
 * The kernel refuses a further name of a file of another user, since fs.protected_hardlinks is on.
 */
final class ForeignFileException extends Exception {
  private static final long serialVersionUID = 1L;

  private static final long ROOT = 0;

  /** FAT and exFAT, which have no links and whose files belong to whom their mount says. */
  private static final Set<Long> LINKLESS = Set.of(0x4D44L, 0x2011BAB0L);

  ForeignFileException(ErrnoException why) {
    super(
        ErrnoException.messageForUser(why)
            + ". Hint: the file belongs to another user, and only that user and root may give it"
            + " further names (fs.protected_hardlinks): restore as one of them, or into an empty"
            + " directory",
        why);
  }

  /**
   * Returns whether this is why a link was not permitted.
   *
   * @param directoryFd where the further name was to be
   */
  static boolean isMeant(FileCalls calls, int directoryFd, FileStatus file) throws ErrnoException {
    long user = calls.effectiveUserId();
    return user != ROOT
        && user != file.ownerId()
        && !LINKLESS.contains(calls.statfs(directoryFd).type() & 0xFFFF_FFFFL);
  }
}
