package dev.tailwater.posix.linux;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.ResolveFlag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Opens a path below a directory one component at a time, as openat2(2) does with RESOLVE_BENEATH
 * and RESOLVE_NO_SYMLINKS.
 *
 * <p>For kernels before 5.6, and for sandboxes that hide openat2 because a filter of system calls
 * cannot look into its argument, as systemd does for {@code RestrictSUIDSGID=}. Each component is
 * opened relative to the descriptor of the one before, and a link is not followed, so no concurrent
 * change leads out of the directory.
 */
final class ComponentWalk {
  private static final Set<OpenFlag> STEP =
      EnumSet.of(OpenFlag.PATH, OpenFlag.DIRECTORY, OpenFlag.NO_FOLLOW);
  private static final Set<ResolveFlag> NO_LINKS_BENEATH =
      EnumSet.of(ResolveFlag.BENEATH, ResolveFlag.NO_SYMLINKS);
  private static final Set<ResolveFlag> KNOWN =
      EnumSet.of(ResolveFlag.BENEATH, ResolveFlag.NO_SYMLINKS, ResolveFlag.NO_MAGIC_LINKS);

  private final NameCalls calls;

  ComponentWalk(NameCalls calls) {
    this.calls = calls;
  }

  /**
   * Returns whether a walk refuses all that these flags refuse. With {@link OpenFlag#PATH}, open(2)
   * would open a link itself, so the caller must want that or a directory.
   */
  static boolean canReplace(Set<OpenFlag> flags, Set<ResolveFlag> resolve) {
    boolean endsAtNoLink =
        !flags.contains(OpenFlag.PATH)
            || flags.contains(OpenFlag.DIRECTORY)
            || flags.contains(OpenFlag.NO_FOLLOW);
    boolean createsUnnamed = flags.contains(OpenFlag.UNNAMED);
    return endsAtNoLink
        && !createsUnnamed
        && resolve.containsAll(NO_LINKS_BENEATH)
        && KNOWN.containsAll(resolve);
  }

  /**
   * Opens the path.
   *
   * @throws ErrnoException as openat2(2), and EXDEV for each {@code ..}, which openat2 permits
   *     below the directory
   */
  int open(int dirFd, PosixPath path, Set<OpenFlag> flags, int mode) throws ErrnoException {
    List<PosixPath> components = components(dirFd, path);
    EnumSet<OpenFlag> lastFlags = EnumSet.of(OpenFlag.NO_FOLLOW);
    lastFlags.addAll(flags);
    int at = dirFd;
    try {
      for (PosixPath component : components.subList(0, components.size() - 1)) {
        int before = at;
        at = step(before, component, STEP, 0);
        if (before != dirFd) {
          calls.close(before);
        }
      }
      return step(at, components.getLast(), lastFlags, mode);
    } finally {
      if (at != dirFd) {
        calls.close(at);
      }
    }
  }

  /** A directory that turns out to be a link is ENOTDIR for open(2), and ELOOP for openat2(2). */
  private int step(int at, PosixPath component, Set<OpenFlag> flags, int mode)
      throws ErrnoException {
    try {
      return calls.open(at, component, flags, mode);
    } catch (ErrnoException e) {
      if (e.errno() == Errno.ENOTDIR && isLink(at, component)) {
        throw ErrnoException.of(e.operation(), e.subject(), Errno.ELOOP);
      }
      throw e;
    }
  }

  private boolean isLink(int at, PosixPath component) {
    try {
      calls.readLink(at, component);
      return true;
    } catch (ErrnoException e) {
      return false; // The failure to report is the one before.
    }
  }

  private static List<PosixPath> components(int dirFd, PosixPath path) throws ErrnoException {
    if (path.isEmpty()) {
      throw ErrnoException.of("open", "fd " + dirFd, Errno.ENOENT);
    }
    byte[] bytes = path.toBytes();
    List<PosixPath> components = new ArrayList<>();
    int from = 0;
    for (int end = 0; end <= bytes.length; end++) {
      if (end == bytes.length || bytes[end] == '/') {
        if (end > from) {
          components.add(PosixPath.of(Arrays.copyOfRange(bytes, from, end)));
        }
        from = end + 1;
      }
    }
    if (bytes[bytes.length - 1] == '/') {
      components.add(PosixPath.of(".")); // a directory is asked for
    }
    if (path.isAbsolute() || components.contains(PosixPath.of(".."))) {
      throw ErrnoException.of("open", "fd " + dirFd + "/" + path, Errno.EXDEV);
    }
    return components;
  }
}
