package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.DirtyNames;
import dev.tailwater.io.watch.event.InodeKey;
import dev.tailwater.io.watch.name.KnownFile;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks at one name of a directory and compares it with what is known of it. */
final class EntryCheck {
  private static final Set<StatFlag> NO_FOLLOW = EnumSet.of(StatFlag.NO_FOLLOW);
  private static final Set<StatFlag> FOLLOW = EnumSet.noneOf(StatFlag.class);

  /** The flags of a look without an event. */
  static final int NO_EVENT = 0;

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
   * @param flags what events have reported about the name, of {@link DirtyNames}
   * @return whether it is a symbolic link that is not followed
   */
  boolean look(DirectoryNode node, PosixPath name, int dirFd, int flags) {
    work.portion().count(1);
    FileStatus status;
    try {
      status = see(node, name, dirFd);
    } catch (ErrnoException e) {
      if (sawLink && context.opener().isRefused(e)) {
        report(node, name, e);
        settle(node, name, null, flags);
        return false; // It was reported.
      }
      boolean known = node.files.contains(name) || node.directories.containsKey(name);
      if (known || context.wantsFile(node, name)) {
        report(node, name, e);
      }
      return false;
    }
    if (context.unobservable().any() && (status == null || status.type() != EntryType.DIRECTORY)) {
      context.unobservable().resolved(node.path.resolve(name));
    }
    settle(node, name, status, flags);
    return status != null && status.type() == EntryType.SYMBOLIC_LINK;
  }

  private void report(DirectoryNode node, PosixPath name, ErrnoException why) {
    PosixPath path = node.path.resolve(name);
    if (node.explicitNames.contains(name)) {
      context.unobservable().report(path, why);
    } else if (!context.unobservable().reportName(path, why)
        && node.reportedForNamesInScan != node.scan) {
      node.reportedForNamesInScan = node.scan;
      context
          .unobservable()
          .report(node.path, ErrnoException.of("statx", "more names in " + node.path, why.errno()));
    }
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

  /** Returns whether the name is known to have been unlinked, not renamed. */
  private static boolean isDeleted(int flags) {
    return (flags & (DirtyNames.DELETED | DirtyNames.MOVED)) == DirtyNames.DELETED;
  }

  private void settle(DirectoryNode node, PosixPath name, @Nullable FileStatus status, int flags) {
    boolean deleted = isDeleted(flags);
    boolean seenInPass = work.results().lookedAgain(node, name);
    Optional<KnownFile> file = node.files.find(name);
    boolean unknown = file.isEmpty() && !node.directories.containsKey(name);
    if (status == null && unknown) {
      settleUnseen(node, name, flags, seenInPass);
      return;
    }
    node.vanishedNames.remove(name);
    if (file.isPresent() && !isStill(file.get(), status)) {
      context.tree().removeFile(node, name);
      work.results().gone(node, name, file.get(), deleted);
      file = Optional.empty();
    }
    DirectoryNode directory = node.directories.get(name);
    boolean leftOut = status != null && context.isLeftOut(status);
    if (directory != null
        && (leftOut || !isStill(directory.key, status) || directory.throughLink != sawLink)) {
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
        && !leftOut
        && context.wantsDirectory(node, name)) {
      work.fresh(node, name, status, sawLink);
    }
  }

  /**
   * Handles a name that was unknown and does not exist now. If it was created and unlinked, a file
   * was missed; if it was renamed, the file is found under its other name.
   */
  private void settleUnseen(DirectoryNode node, PosixPath name, int flags, boolean seenInPass) {
    boolean made =
        seenInPass || (flags & (DirtyNames.CREATED | DirtyNames.DIRECTORY)) == DirtyNames.CREATED;
    if (!made && !node.vanishedNames.containsKey(name)) {
      if ((flags & ~(DirtyNames.CHECK | DirtyNames.CLOSED)) == DirtyNames.MODIFIED) {
        work.results().writtenElsewhere(node.path.resolve(name));
      }
      return;
    }
    boolean written =
        (flags & (DirtyNames.MODIFIED | DirtyNames.CLOSED)) != 0
            || node.vanishedNames.getOrDefault(name, false);
    if ((flags & (DirtyNames.DELETED | DirtyNames.MOVED)) == 0) {
      if (node.source != null && node.vanishedNames.size() < MAX_VANISHED_NAMES) {
        node.vanishedNames.put(name, written); // A later event says what became of it.
      }
      return;
    }
    node.vanishedNames.remove(name);
    if (isDeleted(flags) && context.wantsFile(node, name)) {
      work.results().missed(node.path.resolve(name), written);
    }
  }

  private boolean isStill(KnownFile file, @Nullable FileStatus status) {
    return status != null
        && status.type() == EntryType.REGULAR
        && file.isOf(status)
        && file.throughLink() == sawLink;
  }

  private static boolean isStill(InodeKey key, @Nullable FileStatus status) {
    return status != null && status.type() == EntryType.DIRECTORY && key.isOf(status);
  }

  private void settleFile(
      DirectoryNode node, PosixPath name, FileStatus status, Optional<KnownFile> known) {
    if (known.isEmpty()) {
      if (context.wantsFile(node, name)) {
        work.results().fresh(node, name, status, sawLink);
      }
    } else if (known.get().differs(status)) {
      boolean polled = node.source == null || node.filesPolled || node.writeEventsOff;
      node.files.put(name, KnownFile.of(status, sawLink).withUnseenWrite(polled));
      node.filesFoundWritten++;
      work.results().modified(node, name);
    } else if (known.get().mayHaveUnseenWrite()) {
      node.files.put(name, known.get().withUnseenWrite(false));
      work.results().modified(node, name);
    }
  }
}
