package dev.tailwater.delivery.checkpoint;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the path of the state directory still leads to the directory that was opened. If it does
 * not, another agent may use what it leads to, so nothing may be done there by path.
 */
final class StatePlace {
  private final FileCalls calls;
  private final PosixPath directory;
  private final TransactionLogStore notes;

  StatePlace(FileCalls calls, PosixPath directory, TransactionLogStore notes) {
    this.calls = calls;
    this.directory = directory;
    this.notes = notes;
  }

  /** Throws when the path leads to nothing, or to another directory. */
  void require() throws IOException {
    Optional<String> lost = lost();
    if (lost.isPresent()) {
      throw new IOException(lost.get());
    }
  }

  /** Returns what has happened to the directory, in words; empty if it is where it was. */
  Optional<String> lost() throws ErrnoException {
    if (notes.isInPlace()) {
      return Optional.empty();
    }
    return Optional.of(
        "the state directory "
            + directory
            + (isThere() ? " was emptied or replaced" : " was removed")
            + " while the agent runs");
  }

  private boolean isThere() throws ErrnoException {
    try {
      var _ = calls.statx(NameCalls.AT_FDCWD, directory, Set.of());
      return true;
    } catch (ErrnoException failed) {
      if (failed.errno() == Errno.ENOENT || failed.errno() == Errno.ENOTDIR) {
        return false;
      }
      throw failed;
    }
  }
}
