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
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Opens a watched file once and takes its identity from the descriptor. Symbolic links below the
 * sources are not followed unless told otherwise, a FIFO does not block, and the file's time of
 * last access is left alone where that is allowed.
 */
public final class TailOpener {
  private final FileCalls calls;
  private final boolean followSymlinks;
  private final List<PosixPath> roots;

  /**
   * @param roots the sources: symbolic links that lead to them are followed, those below are not
   */
  public TailOpener(FileCalls calls, boolean followSymlinks, List<PosixPath> roots) {
    this.calls = calls;
    this.followSymlinks = followSymlinks;
    this.roots = List.copyOf(roots);
  }

  /** Opens whatever a path leads to. */
  public static TailOpener following(FileCalls calls) {
    return new TailOpener(calls, true, List.of());
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
      return openWithoutLinks(NameCalls.AT_FDCWD, path, path, flags);
    } catch (ErrnoException e) {
      // Kernels before 5.6 and some sandboxes have no openat2; there only the last name is guarded.
      if (e.errno() == Errno.ENOSYS) {
        return Descriptor.open(calls, NameCalls.AT_FDCWD, path, flags, 0);
      }
      Optional<PosixPath> start = startFor(path);
      if (e.errno() != Errno.ELOOP || start.isEmpty()) {
        throw e;
      }
      return openBelow(start.get(), path, flags);
    }
  }

  private Descriptor openWithoutLinks(
      int dirFd, PosixPath relative, PosixPath path, EnumSet<OpenFlag> flags)
      throws ErrnoException {
    int fd =
        calls.openBeneath(
            dirFd, relative, flags, 0, Set.of(ResolveFlag.NO_SYMLINKS, ResolveFlag.NO_MAGIC_LINKS));
    return Descriptor.adopt(calls, fd, path);
  }

  /** The directory that the user named, or that holds the file that the user named. */
  private Optional<PosixPath> startFor(PosixPath path) {
    return roots.stream()
        .filter(path::startsWith)
        .map(root -> root.equals(path) ? root.parent() : root)
        .min(Comparator.comparingInt(PosixPath::lengthBytes));
  }

  private Descriptor openBelow(PosixPath start, PosixPath path, EnumSet<OpenFlag> flags)
      throws ErrnoException {
    byte[] bytes = path.toBytes();
    int from = start.lengthBytes();
    while (from < bytes.length && bytes[from] == '/') {
      from++;
    }
    PosixPath below = PosixPath.of(Arrays.copyOfRange(bytes, from, bytes.length));
    try (Descriptor directory =
        Descriptor.open(
            calls, NameCalls.AT_FDCWD, start, EnumSet.of(OpenFlag.PATH, OpenFlag.DIRECTORY), 0)) {
      return openWithoutLinks(directory.fd(), below, path, flags);
    }
  }
}
