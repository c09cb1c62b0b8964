package dev.tailwater.io;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.ResolveFlag;
import dev.tailwater.posix.value.StatFlag;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Opens files at and below some roots, without following a symbolic link that another user could
 * have made.
 *
 * <p>Below a root, no link is followed. In the path of a root itself, a link is followed if only
 * this process's user or root can have made it ({@link LinkTrust}) and if it existed when the root
 * was first found: a link in place of a former directory is refused, whoever made it. Either the
 * kernel checks the whole path in one call, or each component is opened relative to the one before,
 * so that renames in between cannot defeat the check.
 *
 * <p>A refused link is an {@link ErrnoException} with {@code ELOOP} whose message names the link.
 * Thread-safe.
 */
public final class SourcePaths {
  private static final Set<ResolveFlag> NO_LINKS =
      EnumSet.of(ResolveFlag.NO_SYMLINKS, ResolveFlag.NO_MAGIC_LINKS);
  private static final Set<StatFlag> NO_FOLLOW = EnumSet.of(StatFlag.NO_FOLLOW);
  private static final PosixPath SELF = PosixPath.of(".");

  private final FileCalls calls;
  private final LinkTrust trust;

  /** Where links were followed the first time that a root was found. */
  @GuardedBy("linksByRoot")
  private final Map<PosixPath, Set<PosixPath>> linksByRoot = new HashMap<>();

  public SourcePaths(FileCalls calls) {
    this.calls = calls;
    this.trust = new LinkTrust(calls);
  }

  /**
   * A place of a file: an open directory, and a name in it that was no symbolic link when it was
   * checked.
   *
   * @param name {@code .} for the directory itself
   */
  public record Place(Descriptor directory, PosixPath name) implements AutoCloseable {
    /** Opens the file; fails with {@code ELOOP} if it has become a symbolic link. */
    public Descriptor open(Set<OpenFlag> flags) throws ErrnoException {
      EnumSet<OpenFlag> all = EnumSet.of(OpenFlag.NO_FOLLOW);
      all.addAll(flags);
      return Descriptor.adopt(
          directory.calls(),
          directory.calls().open(directory.fd(), name, all, 0),
          directory.path().resolve(name));
    }

    /** Returns the status of the file, or of the link that it has become. */
    public FileStatus status() throws ErrnoException {
      return directory.calls().statx(directory.fd(), name, NO_FOLLOW);
    }

    @Override
    public void close() throws ErrnoException {
      directory.close();
    }
  }

  /**
   * Finds a root.
   *
   * @throws ErrnoException {@code ELOOP} for a link that is not followed, and as open(2) says
   */
  public Place find(PosixPath root) throws ErrnoException {
    try {
      return new Place(openDirectly(root, root, EnumSet.of(OpenFlag.PATH)), SELF);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ELOOP && e.errno() != Errno.ENOTDIR && !isUnknown(e)) {
        throw e;
      }
    }
    try (PathWalk walk = new PathWalk(calls, trust, root, allowedLinks(root))) {
      Place place = new Place(walk.run(), walk.name());
      pin(root, walk.followed());
      return place;
    }
  }

  /**
   * Opens a directory at or below a root.
   *
   * @param flags such as {@link OpenFlag#PATH}; {@link OpenFlag#DIRECTORY} is added
   * @throws ErrnoException {@code ELOOP} for a link that is not followed, and as open(2) says
   */
  public Descriptor openDirectory(PosixPath root, PosixPath path, Set<OpenFlag> flags)
      throws ErrnoException {
    try {
      return openDirectly(root, path, flags);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ELOOP && !isUnknown(e)) {
        throw e;
      }
    }
    EnumSet<OpenFlag> directory = EnumSet.of(OpenFlag.DIRECTORY);
    directory.addAll(flags);
    try (Place start = find(root)) {
      PosixPath below = path.below(root);
      if (below.isEmpty()) {
        return start.open(directory);
      }
      try (Descriptor base = start.open(EnumSet.of(OpenFlag.PATH, OpenFlag.DIRECTORY));
          PathWalk walk = PathWalk.withoutLinks(calls, base, below);
          Place place = new Place(walk.run(), walk.name())) {
        return place.open(directory);
      }
    }
  }

  /** Opens a directory in one call, which fails if a component of the path is a link. */
  private Descriptor openDirectly(PosixPath root, PosixPath path, Set<OpenFlag> flags)
      throws ErrnoException {
    EnumSet<OpenFlag> directory = EnumSet.of(OpenFlag.DIRECTORY);
    directory.addAll(flags);
    int fd = calls.openBeneath(FileCalls.AT_FDCWD, path, directory, 0, NO_LINKS);
    pin(root, Set.of());
    return Descriptor.adopt(calls, fd, path);
  }

  /** Kernels before 5.6 have no openat2, and some sandboxes do not permit it. */
  private static boolean isUnknown(ErrnoException e) {
    return e.errno() == Errno.ENOSYS || e.errno() == Errno.EPERM || e.errno() == Errno.EAGAIN;
  }

  private PathWalk.Links allowedLinks(PosixPath root) {
    synchronized (linksByRoot) {
      Set<PosixPath> pinned = linksByRoot.get(root);
      return pinned == null ? PathWalk.Links.any() : PathWalk.Links.only(pinned);
    }
  }

  private void pin(PosixPath root, Set<PosixPath> followed) {
    synchronized (linksByRoot) {
      linksByRoot.putIfAbsent(root, Set.copyOf(followed));
    }
  }
}
