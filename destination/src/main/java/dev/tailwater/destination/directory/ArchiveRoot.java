package dev.tailwater.destination.directory;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import java.util.Set;

/**
 * The archive's directory, entered anew for every operation.
 *
 * <p>No descriptor is held in between: so the file system can be unmounted and come back, and a
 * stale handle is never used. Each time the directory must be the one that was opened first;
 * otherwise what was the mount point of a vanished file system would be filled underneath.
 */
final class ArchiveRoot {
  /** With the umask, which thereby decides what group and others may do. */
  static final int DIRECTORY_MODE = 0770;

  private final FileCalls calls;
  private final PosixPath path;
  private final Failures failures;
  private final RootIdentity identity;
  private final MountInfo mount;

  private ArchiveRoot(FileCalls calls, PosixPath path, Failures failures, int fd)
      throws ErrnoException {
    this.calls = calls;
    this.path = path;
    this.failures = failures;
    this.identity = RootIdentity.of(calls.fstat(fd));
    this.mount = MountInfo.of(calls, fd);
  }

  /** Remembers the directory; to write, creates it with its parents if it is not there. */
  static ArchiveRoot open(FileCalls calls, PosixPath path, OpenIntent intent, Failures failures)
      throws DestinationException {
    try (Handle directory = firstEntry(calls, path, intent)) {
      return new ArchiveRoot(calls, path, failures, directory.fd());
    } catch (ErrnoException e) {
      if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
        throw new PermanentDestinationException(
            failures.uri(),
            "open",
            "",
            "there is no such directory: " + e.getMessage(),
            "Check the path, and with findmnt whether its file system is mounted.",
            e);
      }
      throw failures.of("open", "", e);
    }
  }

  private static Handle firstEntry(FileCalls calls, PosixPath path, OpenIntent intent)
      throws ErrnoException {
    try {
      return open(calls, path);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT || intent == OpenIntent.READ) {
        throw e;
      }
      create(calls, path);
      return open(calls, path);
    }
  }

  private static Handle open(FileCalls calls, PosixPath path) throws ErrnoException {
    // Symbolic links are followed here: the path is the user's, not the archive's.
    return new Handle(calls, calls.open(NameCalls.AT_FDCWD, path, Set.of(OpenFlag.DIRECTORY), 0));
  }

  private static void create(FileCalls calls, PosixPath path) throws ErrnoException {
    try {
      makeDirectory(calls, path);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT || path.parent().equals(path) || path.parent().isEmpty()) {
        throw e;
      }
      create(calls, path.parent());
      makeDirectory(calls, path);
    }
    try (Handle parent = open(calls, path.parent())) {
      calls.fsync(parent.fd());
    }
  }

  private static void makeDirectory(FileCalls calls, PosixPath path) throws ErrnoException {
    try {
      calls.makeDirectory(NameCalls.AT_FDCWD, path, DIRECTORY_MODE);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EEXIST) {
        throw e;
      }
    }
  }

  /** The mount that it was on when it was opened. */
  MountInfo mount() {
    return mount;
  }

  /**
   * Opens the directory, by three calls: open, fstat, and close by the caller; a few more after its
   * file server was mounted anew.
   *
   * @throws TransientDestinationException it is gone, or another directory is in its place
   */
  Handle enter(String operation, String key) throws DestinationException {
    try {
      Handle directory = open(calls, path);
      try {
        RootIdentity found = RootIdentity.of(calls.fstat(directory.fd()));
        if (found.isSameAs(identity)
            || (found.mayBeSameAs(identity) && isRemounted(MountInfo.of(calls, directory.fd())))) {
          return directory;
        }
      } catch (ErrnoException e) {
        directory.close();
        throw e;
      }
      directory.close();
      throw replaced(operation, key);
    } catch (ErrnoException e) {
      throw switch (e.errno()) {
        case ENOENT, ENOTDIR, ESTALE -> gone(operation, key, e);
        default -> failures.of(operation, key, e);
      };
    }
  }

  /**
   * Whether it is the remote file system that was there before: its device number is a new one with
   * each mount, and most kernels tell no birth times of NFS and FUSE.
   */
  private boolean isRemounted(MountInfo now) {
    return now.fromMountTable()
        && now.kind() == FileSystemKind.REMOTE
        && mount.fileSystemType().equals(now.fileSystemType())
        && mount.source().equals(now.source());
  }

  private DestinationException gone(String operation, String key, ErrnoException e) {
    return new TransientDestinationException(
        failures.uri(),
        operation,
        key,
        "the archive's directory was there and is gone: " + e.getMessage(),
        "Mount or restore it; delivery goes on by itself. It is not created again, lest the mount"
            + " point of a vanished file system be filled underneath.",
        e);
  }

  private DestinationException replaced(String operation, String key) {
    return new TransientDestinationException(
        failures.uri(),
        operation,
        key,
        path + " is not the directory that was opened at the start, but another one",
        "Is its file system unmounted, or was one mounted over it (findmnt -T "
            + path
            + ")?"
            + " Undo that and delivery goes on by itself; if the new directory is meant, restart.");
  }
}
