package dev.tailwater.restore.place;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Directories that an interrupted run has made, and has given modes that keep the user out who
 * continues it. They let that user in again, and get their modes once more at the end.
 */
final class ClosedDirectories {
  private static final Set<OpenFlag> REFERENCE =
      EnumSet.of(OpenFlag.PATH, OpenFlag.DIRECTORY, OpenFlag.NO_FOLLOW);

  private static final int OWNER = 0700;

  private final TargetTree target;
  private final FileCalls calls;

  ClosedDirectories(TargetTree target) {
    this.target = target;
    this.calls = target.calls();
  }

  /**
   * Opens those to their owner that are listed and of this user.
   *
   * @param directories the outer ones first, and only those that get their modes at the end
   */
  void open(Collection<List<PosixPath>> directories) {
    for (List<PosixPath> names : directories) {
      try {
        if (!names.isEmpty() && target.isUnfinished(names)) {
          open(names);
        }
      } catch (ErrnoException e) {
        // It is gone, or not this user's: what is to be placed in it says what is wrong.
      }
    }
  }

  private void open(List<PosixPath> names) throws ErrnoException {
    try (Descriptor directory = target.open(names, REFERENCE)) {
      FileStatus status = calls.fstat(directory.fd());
      boolean isClosed = (status.permissions() & OWNER) != OWNER;
      if (isClosed && target.isOfThisUser(directory, names)) {
        calls.changeReferencedMode(directory.fd(), status.permissions() | OWNER);
      }
    }
  }
}
