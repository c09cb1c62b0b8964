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
 * The archive's directory, which is opened again for every operation.
 *
 * <p>No descriptor is held between operations, so that the file system can be unmounted and mounted
 * again, and no stale handle is used. Each time, the directory must be the one that was opened
 * first: otherwise the agent would write into the empty mount point of a vanished file system.
 */
final class ArchiveRoot {
  /**
   * The mode of new directories before the umask, which thus decides what group and others may do.
   */
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

  /** Opens the directory; for writing, creates it and its parents if they do not exist. */
  static ArchiveRoot open(FileCalls calls, PosixPath path, OpenIntent intent, Failures failures)
      throws DestinationException {
    try (Handle directory = firstEntry(calls, path, intent)) {
      return new ArchiveRoot(calls, path, failures, directory.fd());
    } catch (ErrnoException e) {
      if (e.errno() == Errno.ENOTDIR) {
        throw new PermanentDestinationException(
            failures.uri(),
            "open",
            "",
            "it, or what is above it, is not a directory: " + e.getMessage(),
            "Give the path of a directory, or move away what is there (namei -l shows it).",
            e);
      }
      if (e.errno() == Errno.ENOENT) {
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

  /** Returns the mount of the directory when it was opened. */
  MountInfo mount() {
    return mount;
  }

  /**
   * Opens the directory. Three system calls: open, fstat, and the caller's close; a few more after
   * its file server was mounted again.
   *
   * @throws TransientDestinationException the directory is gone, or another one is in its place
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
   * Returns whether the same remote file system was mounted again: its device number changes with
   * each mount, and most kernels report no birth times for NFS and FUSE.
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
        "Mount or restore it. It is not created again, lest the mount"
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
            + " Undo that; if the new directory is meant, restart the agent.");
  }
}
