package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.DirtyNames;
import dev.tailwater.io.watch.event.FileEntry;
import dev.tailwater.io.watch.event.InodeKey;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks at one name of a directory and settles what it is against what it was. */
final class NameLook {
  private static final Set<StatFlag> NO_FOLLOW = EnumSet.of(StatFlag.NO_FOLLOW);
  private static final Set<StatFlag> FOLLOW = EnumSet.noneOf(StatFlag.class);

  /** Of a look that no event has asked for. */
  static final int NO_EVENT = 0;

  /** Of one directory; the events of these names were lost with an overflow. */
  private static final int MOST_VANISHED = 1_000;

  private final WatchContext context;
  private final Pass pass;
  private boolean sawLink;

  NameLook(WatchContext context, Pass pass) {
    this.context = context;
    this.pass = pass;
  }

  /** Whether the errno says that there is nothing under the name. */
  static boolean isAbsent(ErrnoException e) {
    return e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR || e.errno() == Errno.ELOOP;
  }

  /**
   * Asks for the status of a name, and settles it.
   *
   * @param dirFd the open directory
   * @param flags what events have told of the name, of {@link DirtyNames}
   */
  void look(DirectoryNode node, PosixPath name, int dirFd, int flags) {
    FileStatus status;
    try {
      status = see(node, name, dirFd);
    } catch (ErrnoException e) {
      if (sawLink && context.access().isRefused(e)) {
        context.troubles().report(node.path.resolve(name), e);
        settle(node, name, null, flags);
        return;
      }
      boolean known = node.files.containsKey(name) || node.directories.containsKey(name);
      if (known || context.wantsFile(node, name)) {
        context.troubles().report(node.path.resolve(name), e);
      }
      return;
    }
    if (context.troubles().any() && (status == null || status.type() != EntryType.DIRECTORY)) {
      context.troubles().over(node.path.resolve(name));
    }
    settle(node, name, status, flags);
  }

  private @Nullable FileStatus see(DirectoryNode node, PosixPath name, int dirFd)
      throws ErrnoException {
    sawLink = false;
    try {
      FileStatus status = context.calls().statx(dirFd, name, NO_FOLLOW);
      if (status.type() == EntryType.SYMBOLIC_LINK && context.follows(node, name)) {
        sawLink = true;
        status =
            context.options().followSymlinks()
                ? context.calls().statx(dirFd, name, FOLLOW)
                : context.access().root(node.path.resolve(name));
      }
      return status;
    } catch (ErrnoException e) {
      if (isAbsent(e) && !(sawLink && context.access().isRefused(e))) {
        return null;
      }
      throw e;
    }
  }

  /** Whether the name is known to have been unlinked, rather than renamed. */
  private static boolean isDeleted(int flags) {
    return (flags & (DirtyNames.DELETED | DirtyNames.MOVED)) == DirtyNames.DELETED;
  }

  private void settle(DirectoryNode node, PosixPath name, @Nullable FileStatus status, int flags) {
    boolean deleted = isDeleted(flags);
    boolean seenInPass = pass.findings().lookedAgain(node, name);
    FileEntry file = node.files.get(name);
    boolean unknown = file == null && !node.directories.containsKey(name);
    if (status == null && unknown) {
      settleUnseen(node, name, flags, seenInPass);
      return;
    }
    node.vanishedNames.remove(name);
    if (file != null
        && !(isStill(file.key, EntryType.REGULAR, status) && file.throughLink == sawLink)) {
      node.files.remove(name);
      context.tree().went(file);
      pass.findings().gone(file, deleted);
      file = null;
    }
    DirectoryNode directory = node.directories.get(name);
    if (directory != null
        && !(isStill(directory.key, EntryType.DIRECTORY, status)
            && directory.throughLink == sawLink)) {
      pass.lose(directory, deleted);
      directory = null;
    }
    if (status == null) {
      return;
    }
    if (status.type() == EntryType.REGULAR) {
      settleFile(node, name, status, file);
    } else if (status.type() == EntryType.DIRECTORY
        && directory == null
        && context.wantsDirectory(node, name)) {
      pass.fresh(node, name, InodeKey.of(status), sawLink);
    }
  }

  /**
   * A name that led to nothing we know, and leads to nothing now. Only one that was made and
   * unlinked was a file that is lost: what was renamed is found under its other name.
   */
  private void settleUnseen(DirectoryNode node, PosixPath name, int flags, boolean seenInPass) {
    boolean made =
        seenInPass || (flags & (DirtyNames.CREATED | DirtyNames.DIRECTORY)) == DirtyNames.CREATED;
    if (!made && !node.vanishedNames.contains(name)) {
      return;
    }
    if ((flags & (DirtyNames.DELETED | DirtyNames.MOVED)) == 0) {
      if (node.source != null && node.vanishedNames.size() < MOST_VANISHED) {
        node.vanishedNames.add(name); // The event that tells which is still to come.
      }
      return;
    }
    node.vanishedNames.remove(name);
    if (isDeleted(flags) && context.wantsFile(node, name)) {
      pass.findings().missed(node.path.resolve(name));
    }
  }

  private static boolean isStill(InodeKey key, EntryType type, @Nullable FileStatus status) {
    return status != null && status.type() == type && key.isOf(status);
  }

  private void settleFile(
      DirectoryNode node, PosixPath name, FileStatus status, @Nullable FileEntry known) {
    if (known == null) {
      if (context.wantsFile(node, name)) {
        pass.findings().fresh(node, name, status, sawLink);
      }
    } else if (known.differs(status)) {
      known.remember(status);
      known.doubtful = node.source == null || node.filesPolled || node.writesSilent;
      node.filesFoundWritten++;
      pass.findings().modified(known);
    } else if (known.doubtful) {
      known.doubtful = false;
      pass.findings().modified(known);
    }
  }
}
