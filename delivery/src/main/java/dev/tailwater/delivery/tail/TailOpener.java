package dev.tailwater.delivery.tail;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.EntryType;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.FileStatus;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.OpenFlag;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.ResolveFlag;
import dev.tailwater.posix.StatFlag;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Opens a watched file once and takes its identity from the descriptor. Symbolic links are not
 * followed unless told otherwise, a FIFO does not block, and the file's time of last access is left
 * alone where that is allowed.
 */
public final class TailOpener {
  private final FileCalls calls;
  private final boolean followSymlinks;

  public TailOpener(FileCalls calls, boolean followSymlinks) {
    this.calls = calls;
    this.followSymlinks = followSymlinks;
  }

  /** An open regular file. */
  public record Opened(Descriptor descriptor, FileIdentity identity, FileStatus status) {}

  /**
   * The file, or empty when the path leads to nothing, to a symbolic link or to no regular file.
   */
  public Optional<Opened> open(PosixPath path) throws ErrnoException {
    Optional<Descriptor> found;
    try {
      found = openUntouched(path);
    } catch (ErrnoException e) {
      return switch (e.errno()) {
        case ENOENT, ENOTDIR, ELOOP, ENXIO -> Optional.empty();
        default -> throw e;
      };
    }
    return found.isPresent() ? identify(found.get()) : Optional.empty();
  }

  private Optional<Opened> identify(Descriptor descriptor) throws ErrnoException {
    boolean kept = false;
    try {
      FileStatus status = calls.fstat(descriptor.fd());
      if (status.type() != EntryType.REGULAR) {
        return Optional.empty();
      }
      FileIdentity identity = FileIdentity.of(calls, descriptor.fd());
      kept = true;
      return Optional.of(new Opened(descriptor, identity, status));
    } finally {
      if (!kept) {
        descriptor.close();
      }
    }
  }

  private Optional<Descriptor> openUntouched(PosixPath path) throws ErrnoException {
    // Opening a device or FIFO can have effects, so look first; the descriptor decides all the
    // same.
    FileStatus status =
        calls.statx(
            NameCalls.AT_FDCWD, path, followSymlinks ? Set.of() : Set.of(StatFlag.NO_FOLLOW));
    if (status.type() != EntryType.REGULAR) {
      return Optional.empty();
    }
    try {
      return Optional.of(open(path, EnumSet.of(OpenFlag.NON_BLOCK, OpenFlag.NO_ACCESS_TIME)));
    } catch (ErrnoException e) {
      // Only the owner of a file may leave its access time alone.
      if (e.errno() != Errno.EPERM) {
        throw e;
      }
      return Optional.of(open(path, EnumSet.of(OpenFlag.NON_BLOCK)));
    }
  }

  private Descriptor open(PosixPath path, EnumSet<OpenFlag> flags) throws ErrnoException {
    if (followSymlinks) {
      return Descriptor.open(calls, NameCalls.AT_FDCWD, path, flags, 0);
    }
    flags.add(OpenFlag.NO_FOLLOW);
    try {
      int fd =
          calls.openBeneath(
              NameCalls.AT_FDCWD,
              path,
              flags,
              0,
              Set.of(ResolveFlag.NO_SYMLINKS, ResolveFlag.NO_MAGIC_LINKS));
      return Descriptor.adopt(calls, fd, path);
    } catch (ErrnoException e) {
      // Kernels before 5.6 and some sandboxes have no openat2; there only the last name is guarded.
      if (e.errno() != Errno.ENOSYS) {
        throw e;
      }
      return Descriptor.open(calls, NameCalls.AT_FDCWD, path, flags, 0);
    }
  }
}
