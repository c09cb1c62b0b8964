package dev.tailwater.destination.directory;

import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * The directory {@code .tailwater-tmp} below the root, in which files are written before they get
 * their names. There is only one, so that cleaning up after a lost machine needs no walk through
 * the archive. Thread-safe.
 */
final class TemporaryFiles {
  /**
   * The age at which a file counts as left by a crash. If its writer still exists after all
   * (because a server hung or a clock is wrong), its rename fails with ENOENT and it writes the
   * file again.
   */
  static final long LEFT_BEHIND_MILLIS = TimeUnit.MINUTES.toMillis(15);

  private final FileCalls calls;
  private final String instance;
  private final AtomicLong count = new AtomicLong();

  TemporaryFiles(FileCalls calls, RandomGenerator random) {
    this.calls = calls;
    this.instance = String.format("%016x", random.nextLong());
  }

  /** Returns a name that nobody else uses. */
  PosixPath newName() {
    return PosixPath.of(instance + "-" + count.incrementAndGet());
  }

  /** Opens the directory, creating it if necessary. */
  Handle directory(Handle root) throws ErrnoException {
    try {
      return root.openDirectory(ObjectKeys.RESERVED);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
    try {
      calls.makeDirectory(root.fd(), PosixPath.of(ObjectKeys.RESERVED), ArchiveRoot.DIRECTORY_MODE);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EEXIST) {
        throw e;
      }
    }
    return root.openDirectory(ObjectKeys.RESERVED);
  }

  /** Removes the old files of all writers. */
  void removeLeftovers(Handle directory, InstantSource clock) throws ErrnoException {
    long limitNanos = TimeUnit.MILLISECONDS.toNanos(clock.millis() - LEFT_BEHIND_MILLIS);
    for (DirectoryEntry entry : calls.entries(directory.fd())) {
      try {
        FileStatus status = calls.statx(directory.fd(), entry.name(), Set.of(StatFlag.NO_FOLLOW));
        if (status.type() == EntryType.REGULAR && status.modificationTimeNanos() < limitNanos) {
          calls.unlink(directory.fd(), entry.name());
        }
      } catch (ErrnoException e) {
        switch (e.errno()) {
          // Another process cleans too; or the file is another user's, whose own agent removes it;
          // or an NFS client has it open under a silly name, and removes it itself.
          case ENOENT, ESTALE, EACCES, EPERM, EBUSY -> {}
          default -> throw e;
        }
      }
    }
  }
}
