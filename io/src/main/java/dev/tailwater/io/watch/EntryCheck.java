package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.FileEntry;
import dev.tailwater.io.watch.event.InodeKey;
import dev.tailwater.io.watch.event.NameEvents;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks at one name of a directory and compares it with what is known of it. */
final class EntryCheck {
  private static final Set<StatFlag> NO_FOLLOW = EnumSet.of(StatFlag.NO_FOLLOW);
  private static final Set<StatFlag> FOLLOW = EnumSet.noneOf(StatFlag.class);

  /** Per directory; if there are more, their events were lost in an overflow. */
  private static final int MAX_VANISHED_NAMES = 1_000;

  private final WatchContext context;
  private final PassWork work;
  private boolean sawLink;

  EntryCheck(WatchContext context, PassWork work) {
    this.context = context;
    this.work = work;
  }

  /** Returns whether the errno says that the name does not exist. */
  static boolean isAbsent(ErrnoException e) {
    return e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR || e.errno() == Errno.ELOOP;
  }

  /**
   * Looks at a name and records what has changed.
   *
   * @param dirFd the open directory
   * @param events what events have reported about the name
   */
  void look(DirectoryNode node, PosixPath name, int dirFd, NameEvents events) {
    FileStatus status;
    try {
      status = see(node, name, dirFd);
    } catch (ErrnoException e) {
      if (sawLink && context.opener().isRefused(e)) {
        context.unobservable().report(node.path.resolve(name), e);
        settle(node, name, null, events);
        return;
      }
      boolean known = node.files.containsKey(name) || node.directories.containsKey(name);
      if (known || context.wantsFile(node, name)) {
        context.unobservable().report(node.path.resolve(name), e);
      }
      return;
    }
    if (context.unobservable().any() && (status == null || status.type() != EntryType.DIRECTORY)) {
      context.unobservable().resolved(node.path.resolve(name));
    }
    settle(node, name, status, events);
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
                : context.opener().root(node.path.resolve(name));
      }
      return status;
    } catch (ErrnoException e) {
      if (isAbsent(e) && !(sawLink && context.opener().isRefused(e))) {
        return null;
      }
      throw e;
    }
  }

  private void settle(
      DirectoryNode node, PosixPath name, @Nullable FileStatus status, NameEvents events) {
    boolean deleted = events.isDeleted();
    boolean seenInPass = work.results().lookedAgain(node, name);
    FileEntry file = node.files.get(name);
    boolean unknown = file == null && !node.directories.containsKey(name);
    countUnseen(node, name, status == null, unknown && seenInPass, events);
    if (status == null && unknown) {
      return;
    }
    if (file != null
        && !(isStill(file.key, EntryType.REGULAR, status) && file.throughLink == sawLink)) {
      node.files.remove(name);
      context.tree().fileRemoved(file);
      work.results().gone(file, deleted);
      file = null;
    }
    DirectoryNode directory = node.directories.get(name);
    if (directory != null
        && !(isStill(directory.key, EntryType.DIRECTORY, status)
            && directory.throughLink == sawLink)) {
      work.lose(directory, deleted);
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
      work.fresh(node, name, InodeKey.of(status), sawLink);
    }
  }

  /**
   * Counts the files that came to a name and were deleted or replaced there before any look. A file
   * that was renamed away is found under its other name. One that was renamed to the name may have
   * been opened under its former one, so it counts only where names are told early, and whoever
   * opens files then knows all their names.
   *
   * @param seenInPass whether an earlier look of this pass has found another file here, which is in
   *     no snapshot yet
   */
  private void countUnseen(
      DirectoryNode node, PosixPath name, boolean absent, boolean seenInPass, NameEvents events) {
    boolean pending = node.vanishedNames.remove(name) || seenInPass;
    int gone = events.createdAndGone(absent);
    boolean early = node.namesWatch.isPresent();
    if (early) {
      gone += events.renamedAndGone();
    }
    if (pending && events.isFormerGone()) {
      gone++;
    }
    boolean open = events.hasArrived() || (pending && !events.hasFormerLeft());
    if (absent && open && node.source != null && node.vanishedNames.size() < MAX_VANISHED_NAMES) {
      node.vanishedNames.add(name); // A later event says what became of it.
    }
    int passed = early ? events.renamedAway() : 0;
    if ((gone > 0 || passed > 0) && context.wantsFile(node, name)) {
      work.results().unseen(node.path.resolve(name), gone, passed);
    }
  }

  private static boolean isStill(InodeKey key, EntryType type, @Nullable FileStatus status) {
    return status != null && status.type() == type && key.isOf(status);
  }

  private void settleFile(
      DirectoryNode node, PosixPath name, FileStatus status, @Nullable FileEntry known) {
    if (known == null) {
      if (context.wantsFile(node, name)) {
        work.results().fresh(node, name, status, sawLink);
      }
    } else if (known.differs(status)) {
      known.remember(status);
      known.mayHaveUnseenWrite = node.source == null || node.filesPolled || node.writeEventsOff;
      node.filesFoundWritten++;
      work.results().modified(known);
    } else if (known.mayHaveUnseenWrite) {
      known.mayHaveUnseenWrite = false;
      work.results().modified(known);
    }
  }
}
