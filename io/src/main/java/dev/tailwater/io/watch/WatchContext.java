package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import java.util.EnumSet;
import java.util.Set;

/** The state that all passes of one watch share. */
record WatchContext(
    FileCalls calls,
    PathOpener opener,
    WatchOptions options,
    WatchTree tree,
    WatchAssigner watches,
    UnobservablePaths unobservable) {

  private static final Set<StatFlag> FOLLOW = EnumSet.noneOf(StatFlag.class);

  boolean wantsFile(DirectoryNode node, PosixPath name) {
    return node.explicitNames.contains(name)
        || (!node.restricted && options.wanted().test(node.path.resolve(name)));
  }

  boolean wantsDirectory(DirectoryNode node, PosixPath name) {
    return !node.restricted && options.descend().test(node.path.resolve(name));
  }

  /** Returns whether it is a directory that is left out wherever it is found. */
  boolean isLeftOut(FileStatus status) {
    return status.type() == EntryType.DIRECTORY
        && options.leftOut().isPresent()
        && options.leftOut().get().test(status);
  }

  /** Returns whether a directory, or one above it, is left out. */
  boolean liesInLeftOut(PosixPath path, FileStatus status) {
    if (options.leftOut().isEmpty()) {
      return false;
    }
    boolean leftOut = isLeftOut(status);
    for (PosixPath above = path; !leftOut && above.lengthBytes() > 1; ) {
      above = above.parent();
      try {
        leftOut = isLeftOut(calls.statx(FileCalls.AT_FDCWD, above, FOLLOW));
      } catch (ErrnoException e) {
        return false; // The next look at the root finds that it is gone, too.
      }
    }
    return leftOut;
  }

  /** Returns whether directories below the root of this one must not be listed for now. */
  boolean mustWait(DirectoryNode node) {
    return options.backlog().waitingFiles(node.root().path) > 0;
  }

  boolean follows(DirectoryNode node, PosixPath name) {
    return node.explicitNames.contains(name) || (!node.restricted && options.followSymlinks());
  }
}
