package dev.tailwater.delivery.checkpoint;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.files.DirectoryLock;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the path of the state directory still leads to the directory that was opened. If it does
 * not, another agent may use what it leads to, so nothing may be done there by path.
 */
final class StatePlace {
  private static final String WHILE_RUNNING = " while the agent runs";

  private final FileCalls calls;
  private final PosixPath directory;
  private final TransactionLogStore notes;

  StatePlace(FileCalls calls, PosixPath directory, TransactionLogStore notes) {
    this.calls = calls;
    this.directory = directory;
    this.notes = notes;
  }

  /** Returns whether the path leads to the directory that was opened, and to its lock. */
  boolean isInPlace() throws ErrnoException {
    return notes.isInPlace();
  }

  /** Throws when the path leads to nothing, or to another directory. */
  void require() throws IOException {
    if (isInPlace()) {
      return;
    }
    Optional<AgentState.Removal> removal = removed();
    if (removal.isPresent()) {
      throw new IOException(removal.get().message());
    }
  }

  /** Returns what has happened to the directory, its log or its lock; empty if all is there. */
  Optional<AgentState.Removal> removed() throws ErrnoException {
    Optional<PosixPath> removed = notes.removed();
    if (removed.isEmpty()) {
      return Optional.empty();
    }
    boolean isFile = !removed.get().equals(directory);
    if (isFile && (isLock(removed.get()) || notes.isInPlace())) {
      return Optional.of(removalOf(removed.get(), ""));
    }
    String what = isThere() ? " was emptied or replaced" : " was removed";
    return Optional.of(
        new AgentState.Removal("the state directory " + directory + what + WHILE_RUNNING, false));
  }

  /** Returns what is said of a part of the state that was removed. */
  static AgentState.Removal removalOf(PosixPath part, String whose) {
    return new AgentState.Removal(whose + part + " was removed" + WHILE_RUNNING, isLock(part));
  }

  private static boolean isLock(PosixPath part) {
    return part.fileName().equals(DirectoryLock.NAME);
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
