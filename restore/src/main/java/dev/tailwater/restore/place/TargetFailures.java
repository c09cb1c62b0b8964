package dev.tailwater.restore.place;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/** What failures of calls in the target directory mean. */
final class TargetFailures {
  /** After these nothing else will succeed either. */
  private static final Set<Errno> TARGET_IS_UNUSABLE =
      EnumSet.of(Errno.ENOSPC, Errno.EDQUOT, Errno.EROFS);

  /** These are the same again, whatever the user does in the target: it has no such thing. */
  private static final Set<Errno> LASTING =
      EnumSet.of(
          Errno.ENAMETOOLONG,
          Errno.EOPNOTSUPP,
          Errno.ENOSYS,
          Errno.EINVAL,
          Errno.EXDEV,
          Errno.EMLINK);

  private static final Set<String> LINKING = Set.of("symlink", "link");

  private TargetFailures() {}

  /** What went wrong in the target, and what helps. */
  static String explained(IOException e) {
    if (e instanceof ErrnoException link && isLinkThatThereIsNot(link)) {
      return ErrnoException.messageForUser(e)
          + ". Hint: the file system may have no links: restore to another one; or the file or its"
          + " directory is immutable, which lsattr shows";
    }
    String hint =
        switch (e instanceof ErrnoException errno ? errno.errno() : Errno.OTHER) {
          case ELOOP -> ". Hint: a symbolic link is in the way; restore never follows them";
          case ENOTDIR -> ". Hint: something else has the name of a directory that is needed";
          case EEXIST -> ". Hint: something else has its name; move that away and restore again";
          case EACCES, EPERM -> ". Hint: let this user write there, and run the same command again";
          case ENOENT -> ". Hint: somebody has removed or moved it meanwhile; restore again";
          case EFBIG -> ". Hint: the file system, or ulimit -f, allows no file of this length";
          case EMFILE, ENFILE -> ". Hint: raise the limit of open files: ulimit -n 65536";
          default -> "";
        };
    return ErrnoException.messageForUser(e) + hint;
  }

  /** Returns whether the same call may succeed in a later run. */
  static boolean mayPass(ErrnoException e) {
    return !LASTING.contains(e.errno()) && !isLinkThatThereIsNot(e);
  }

  /** FAT and its like have neither symbolic nor hard links, and call that not permitted. */
  private static boolean isLinkThatThereIsNot(ErrnoException e) {
    return e.errno() == Errno.EPERM && LINKING.contains(e.operation());
  }

  /** Returns whether nothing else in the target will succeed either. */
  static boolean isUnusable(ErrnoException e) {
    return TARGET_IS_UNUSABLE.contains(e.errno());
  }
}
