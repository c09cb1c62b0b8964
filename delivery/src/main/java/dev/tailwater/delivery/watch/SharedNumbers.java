package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * Files that have the identity of another one that is there as well. File systems that show several
 * others as one, such as bindfs and 9p, may pass on the inode numbers of each. The agent cannot
 * tell such files apart later, so it reports those that it leaves out. Used by the watch thread
 * only.
 */
final class SharedNumbers {
  private static final String SUBJECT = "inode numbers";

  private final TailOpener opener;
  private final FileRegistry registry;
  private final Problems problems;
  private final LinkedHashSet<PosixPath> leftOut = new LinkedHashSet<>();

  SharedNumbers(ObserverContext context) {
    this.opener = context.opener();
    this.registry = context.registry();
    this.problems = context.problems();
  }

  /** Returns whether a file that was opened at a path is left out, which is reported then. */
  boolean mustLeaveOut(PosixPath path, TailOpener.Opened opened) throws ErrnoException {
    Optional<WatchedFile> known = registry.find(opened.identity());
    if (known.isEmpty() || !isAnother(known.get(), path, opened)) {
      forget(path);
      return false;
    }
    leftOut.add(path);
    problems.report(
        SUBJECT,
        "files have the inode number of another file and cannot be told from it; they are left out",
        Optional.of(
            "the first is "
                + leftOut.getFirst()
                + "; make the file systems that are shown there sources, or mount so that"
                + " numbers differ"),
        true);
    return true;
  }

  /** The same of a file that was found at a path, and may have left it. */
  boolean mustLeaveOut(PosixPath path, FileIdentity identity) throws ErrnoException {
    Optional<WatchedFile> known = registry.find(identity);
    if (known.isEmpty() || mayBeNamed(known.get(), path, identity)) {
      return false; // Most are: none of them is opened for this.
    }
    Optional<TailOpener.Opened> opened = opener.open(path);
    if (opened.isEmpty()) {
      return false;
    }
    try (Descriptor _ = opened.get().descriptor()) {
      return opened.get().identity().equals(identity) && mustLeaveOut(path, opened.get());
    }
  }

  /**
   * Returns whether a generation vouches for what is at a path, or the known file has that name.
   */
  private static boolean mayBeNamed(WatchedFile known, PosixPath path, FileIdentity identity) {
    return identity.generation().isPresent() || known.names().contains(path);
  }

  private boolean isAnother(WatchedFile known, PosixPath path, TailOpener.Opened opened)
      throws ErrnoException {
    if (mayBeNamed(known, path, opened.identity())) {
      return false;
    }
    List<PosixPath> names = known.names();
    if (names.isEmpty()) {
      return known.isOpen() && leftOut.contains(path); // Until the agent is done with the other.
    }
    for (PosixPath name : names) {
      if (areTwo(name, path, opened)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether both names lead to this identity and each to a file of one link. Below another
   * mount, or by a link to a source, one file may have two paths.
   */
  private boolean areTwo(PosixPath name, PosixPath path, TailOpener.Opened opened)
      throws ErrnoException {
    if (opened.status().links() != 1 || opened.status().mountId() == 0) {
      return false;
    }
    Optional<TailOpener.Opened> other = opener.open(name);
    if (other.isEmpty()) {
      return false;
    }
    try (Descriptor _ = other.get().descriptor()) {
      return other.get().identity().equals(opened.identity())
          && isBeside(other.get().status(), opened.status())
          && !whereIs(other.get()).equals(whereIs(opened))
          && isStillAt(path, opened);
    }
  }

  private static boolean isBeside(FileStatus one, FileStatus other) {
    return one.links() == 1 && one.device() == other.device() && one.mountId() == other.mountId();
  }

  /** Returns the path of an open file without links. */
  private PosixPath whereIs(TailOpener.Opened file) throws ErrnoException {
    return opener
        .calls()
        .readLink(NameCalls.AT_FDCWD, PosixPath.of("/proc/self/fd/" + file.descriptor().fd()));
  }

  /** Returns whether a file was not just moved from its path to the other name. */
  private boolean isStillAt(PosixPath path, TailOpener.Opened opened) throws ErrnoException {
    Optional<TailOpener.Opened> again = opener.open(path);
    if (again.isEmpty()) {
      return false;
    }
    try (Descriptor _ = again.get().descriptor()) {
      return again.get().identity().equals(opened.identity());
    }
  }

  /** Forgets the path, at which there is another file now, or none. */
  void forget(PosixPath path) {
    if (leftOut.remove(path) && leftOut.isEmpty()) {
      problems.resolved(SUBJECT);
    }
  }
}
