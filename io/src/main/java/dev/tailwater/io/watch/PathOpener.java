package dev.tailwater.io.watch;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.PseudoFileSystem;
import dev.tailwater.io.SourcePaths;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.StatFlag;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Opens paths, following links as the options say: either all links, or only those that no other
 * user can have made.
 */
final class PathOpener {
  private static final Set<StatFlag> FOLLOW = EnumSet.noneOf(StatFlag.class);

  private static final PosixPath OPEN_FILES = PosixPath.of("/proc/self/fd");

  private final FileCalls calls;
  private final SourcePaths paths;
  private final boolean followSymlinks;

  PathOpener(FileCalls calls, boolean followSymlinks) {
    this.calls = calls;
    this.paths = new SourcePaths(calls);
    this.followSymlinks = followSymlinks;
  }

  /**
   * Returns the status of the file that a root leads to.
   *
   * @throws ErrnoException {@link #isRefused} for a link that is not followed
   */
  FileStatus root(PosixPath root) throws ErrnoException {
    if (followSymlinks) {
      return calls.statx(FileCalls.AT_FDCWD, root, FOLLOW);
    }
    try (SourcePaths.Place place = paths.find(root)) {
      return place.status();
    }
  }

  /**
   * Returns where a root that is a directory really lies, without links; its own path where /proc
   * does not tell.
   */
  PosixPath realPath(PosixPath root) {
    return whereIs(root).orElse(root);
  }

  private Optional<PosixPath> whereIs(PosixPath root) {
    try (Descriptor directory = openRoot(root)) {
      return Optional.of(whereIs(directory));
    } catch (ErrnoException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns whether the first path of a directory is known to have no links, and the other one to.
   */
  boolean isPlainer(PosixPath path, PosixPath other) {
    return !path.equals(other)
        && whereIs(path).filter(path::equals).isPresent()
        && whereIs(other).filter(real -> !real.equals(other)).isPresent();
  }

  private PosixPath whereIs(Descriptor open) throws ErrnoException {
    return calls.readLink(FileCalls.AT_FDCWD, OPEN_FILES.resolve("" + open.fd()));
  }

  /**
   * Refuses a path at which there is another directory than the known one, although both have the
   * same number. File systems that show several others as one, such as bindfs and 9p, may pass on
   * the numbers of each. Below another mount, or by a link, one directory may have two paths.
   *
   * @param known the directory that has this number at another path
   * @param root what the path is below, or is
   * @throws ErrnoException EEXIST if there are two
   */
  void refuseTwin(DirectoryNode known, PosixPath root, PosixPath path) throws ErrnoException {
    if (!known.lost && !known.path.equals(path) && areTwo(known, root, path)) {
      throw ErrnoException.of(
          "watch", path + ", which has the inode number of " + known.path, Errno.EEXIST);
    }
  }

  private boolean areTwo(DirectoryNode known, PosixPath root, PosixPath path) {
    try (Descriptor one = open(known, EnumSet.of(OpenFlag.PATH));
        Descriptor other = root.equals(path) ? openRoot(root) : openBelow(root, path)) {
      FileStatus first = calls.fstat(one.fd());
      FileStatus second = calls.fstat(other.fd());
      PosixPath there = whereIs(one);
      return known.key.isOf(first)
          && known.key.isOf(second)
          && first.mountId() != 0
          && first.mountId() == second.mountId()
          && !there.equals(whereIs(other))
          && there.equals(whereIs(one)); // Otherwise it was moved just now.
    } catch (ErrnoException e) {
      return false; // Whoever lists them finds out what is wrong.
    }
  }

  /**
   * Refuses a directory whose files the kernel makes up, as in /proc and /sys: they have no bytes
   * that stay, and root changes the machine by reading some of them.
   *
   * @param root what the path is below
   * @throws ErrnoException EOPNOTSUPP if they are
   */
  void refuseMadeUp(PosixPath root, PosixPath path) throws ErrnoException {
    if (isMadeUp(root, path)) {
      throw ErrnoException.of(
          "watch", path + ", whose files the kernel makes up", Errno.EOPNOTSUPP);
    }
  }

  private boolean isMadeUp(PosixPath root, PosixPath path) {
    EnumSet<OpenFlag> flags = EnumSet.of(OpenFlag.PATH);
    try (Descriptor there =
        followSymlinks
            ? Descriptor.open(calls, FileCalls.AT_FDCWD, path, flags, 0)
            : paths.openDirectory(root, path, flags)) {
      return PseudoFileSystem.holds(calls.statfs(there.fd()).type());
    } catch (ErrnoException e) {
      return false; // Whoever lists it finds out what is wrong.
    }
  }

  private Descriptor openRoot(PosixPath root) throws ErrnoException {
    return followSymlinks
        ? Descriptor.open(calls, FileCalls.AT_FDCWD, root, EnumSet.of(OpenFlag.PATH), 0)
        : paths.openDirectory(root, root, EnumSet.of(OpenFlag.PATH));
  }

  /**
   * Opens a known directory, or the directory that has taken its place.
   *
   * @param flags {@link OpenFlag#PATH} or none
   */
  Descriptor open(DirectoryNode node, Set<OpenFlag> flags) throws ErrnoException {
    if (!followSymlinks) {
      return paths.openDirectory(node.root().path, node.path, flags);
    }
    EnumSet<OpenFlag> directory = EnumSet.of(OpenFlag.DIRECTORY);
    directory.addAll(flags);
    if (node.parent != null && !node.throughLink) {
      directory.add(OpenFlag.NO_FOLLOW);
    }
    return Descriptor.open(calls, FileCalls.AT_FDCWD, node.path, directory, 0);
  }

  /** Opens a directory at a path that no node has yet, for listing it. */
  Descriptor openBelow(PosixPath root, PosixPath path) throws ErrnoException {
    return followSymlinks
        ? Descriptor.open(
            calls, FileCalls.AT_FDCWD, path, EnumSet.of(OpenFlag.DIRECTORY, OpenFlag.NO_FOLLOW), 0)
        : paths.openDirectory(root, path, EnumSet.noneOf(OpenFlag.class));
  }

  /** Opens a directory above a root, for watching it. */
  Descriptor openAbove(PosixPath path) throws ErrnoException {
    return followSymlinks
        ? Descriptor.open(calls, FileCalls.AT_FDCWD, path, EnumSet.of(OpenFlag.DIRECTORY), 0)
        : paths.openDirectory(path, path, EnumSet.noneOf(OpenFlag.class));
  }

  /** Returns whether the failure may be a link that must not be followed, rather than absence. */
  boolean isRefused(ErrnoException e) {
    return !followSymlinks && e.errno() == Errno.ELOOP;
  }
}
