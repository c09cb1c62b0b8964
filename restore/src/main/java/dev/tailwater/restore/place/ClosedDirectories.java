package dev.tailwater.restore.place;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.restore.name.TargetPath;
import dev.tailwater.restore.name.TargetPath.UnsafePathException;
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

  /** Opens those to their owner that are of this user; the outer ones first. */
  void open(Collection<PosixPath> listed) {
    for (PosixPath path : listed.stream().sorted().toList()) {
      try {
        open(path);
      } catch (ErrnoException | UnsafePathException e) {
        // It is gone, or not this user's: what is to be placed in it says what is wrong.
      }
    }
  }

  private void open(PosixPath path) throws ErrnoException, UnsafePathException {
    List<PosixPath> names = TargetPath.of(path).names();
    try (Descriptor directory = TargetTree.open(calls, target.root().fd(), path, REFERENCE, 0)) {
      FileStatus status = calls.fstat(directory.fd());
      boolean isClosed = (status.permissions() & OWNER) != OWNER;
      if (isClosed && target.isOfThisUser(directory, names)) {
        calls.changeMode(directory.fd(), status.permissions() | OWNER);
      }
    }
  }
}
