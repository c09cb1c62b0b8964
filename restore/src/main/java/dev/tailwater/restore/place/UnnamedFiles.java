package dev.tailwater.restore.place;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.name.PartialName;

/**
 * Which files have no name until they are complete (O_TMPFILE). That takes fewer system calls, but
 * nothing of an interrupted run is left to be continued: so it is for short files only, and only in
 * directories that the run has made, in which no earlier run has left anything. The file system of
 * the target is tried out once. Thread-safe.
 */
final class UnnamedFiles {
  /** What is not worth continuing. */
  static final long MOST_BYTES = 1 << 20;

  private enum State {
    UNKNOWN,
    POSSIBLE,
    IMPOSSIBLE
  }

  private final FileCalls calls;
  private final long device;

  /** Whether the file system of the target has such files and gives them names. */
  @GuardedBy("this")
  private State state = State.UNKNOWN;

  private UnnamedFiles(FileCalls calls, long device) {
    this.calls = calls;
    this.device = device;
  }

  static UnnamedFiles on(TargetTree tree) throws ErrnoException {
    FileCalls calls = tree.calls();
    return new UnnamedFiles(calls, calls.fstat(tree.root().fd()).device());
  }

  /** Returns whether the file of a stream is to have no name at first. */
  boolean isFor(OpenDirectories.Lease directory, ArchivedStream stream) {
    return directory.isNew()
        && directory.device() == device
        && stream.storedEndBytes() <= MOST_BYTES
        && isPossible(directory, stream);
  }

  private synchronized boolean isPossible(OpenDirectories.Lease directory, ArchivedStream stream) {
    if (state == State.UNKNOWN) {
      PosixPath unfinished = PartialName.nameOf(stream.prefix());
      state = tryOut(directory, unfinished) ? State.POSSIBLE : State.IMPOSSIBLE;
    }
    return state == State.POSSIBLE;
  }

  /** Whatever fails here: with a name, the file can be made, or the error is told. */
  private boolean tryOut(OpenDirectories.Lease directory, PosixPath unfinished) {
    try (PartialFile file = PartialFile.createUnnamed(directory.directory())) {
      file.rename(unfinished, false);
      calls.unlink(directory.directory().fd(), unfinished);
      return true;
    } catch (ErrnoException e) {
      return false;
    }
  }
}
