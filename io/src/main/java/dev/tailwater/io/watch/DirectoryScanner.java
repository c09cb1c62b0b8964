package dev.tailwater.io.watch;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.DirtyNames;
import dev.tailwater.io.watch.event.FileEntry;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.OpenFlag;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks at all or some names of a directory: one open, then one statx(2) per name through the
 * descriptor, so that a path that leads elsewhere by now does no harm.
 */
final class DirectoryScanner {
  private static final Set<OpenFlag> LIST = EnumSet.noneOf(OpenFlag.class);
  private static final Set<OpenFlag> SEARCH = EnumSet.of(OpenFlag.PATH);

  private final WatchContext context;
  private final PassWork work;
  private final EntryCheck names;

  DirectoryScanner(WatchContext context, PassWork work) {
    this.context = context;
    this.work = work;
    this.names = new EntryCheck(context, work);
  }

  /**
   * Lists the directory and compares it with what is known.
   *
   * @param deep whether known directories below are scanned too; new ones always are
   */
  void scan(DirectoryNode node, boolean deep) {
    try (Descriptor directory = context.opener().open(node, LIST)) {
      if (!node.key.isOf(context.calls().fstat(directory.fd()))) {
        recheck(node);
        return;
      }
      context.watches().ensure(node, directory.fd());
      if (node.restricted) {
        for (PosixPath name : List.copyOf(node.explicitNames)) {
          names.look(node, name, directory.fd(), EntryCheck.NO_EVENT);
        }
      } else {
        compare(node, directory.fd(), deep);
      }
      context.unobservable().resolved(node.path);
    } catch (ErrnoException e) {
      if (EntryCheck.isAbsent(e)) {
        recheck(node);
      } else {
        context.unobservable().report(node.path, e);
      }
    }
  }

  private void compare(DirectoryNode node, int dirFd, boolean deep) throws ErrnoException {
    // Names that an earlier look of this pass found, and that may have gone before the watch.
    Set<PosixPath> fresh = new LinkedHashSet<>(work.results().freshIn(node));
    Listing listing = new Listing(context, node);
    context.calls().entries(dirFd, listing);
    context.tree().names().leftOut(node, listing.leftOut());
    for (DirectoryEntry entry : listing.entries()) {
      fresh.remove(entry.name());
      meet(node, dirFd, entry, deep);
    }
    fresh.addAll(unseen(node));
    // Not listed. Check each again, since a rename during the listing can hide a name.
    for (PosixPath name : fresh) {
      names.look(node, name, dirFd, EntryCheck.NO_EVENT);
    }
  }

  private void meet(DirectoryNode node, int dirFd, DirectoryEntry entry, boolean deep) {
    PosixPath name = entry.name();
    FileEntry file = node.files.get(name);
    DirectoryNode directory = node.directories.get(name);
    if (file != null) {
      file.seenInPass = work.number();
    } else if (directory != null) {
      directory.seenInPass = work.number();
      if (deep && entry.type() == EntryType.DIRECTORY) {
        work.scanDeep(directory);
        return;
      }
    }
    names.look(node, name, dirFd, EntryCheck.NO_EVENT);
  }

  private List<PosixPath> unseen(DirectoryNode node) {
    List<PosixPath> unseen = new ArrayList<>(0);
    for (FileEntry file : node.files.values()) {
      if (file.seenInPass != work.number()) {
        unseen.add(file.name);
      }
    }
    for (DirectoryNode directory : node.directories.values()) {
      if (directory.seenInPass != work.number()) {
        unseen.add(directory.name);
      }
    }
    return unseen;
  }

  /** Looks at the names that events reported. */
  void look(DirectoryNode node, Map<PosixPath, Integer> flagsByName) {
    flagsByName.entrySet().removeIf(entry -> isSettledByEvent(node, entry));
    if (flagsByName.isEmpty()) {
      return;
    }
    searching(node, fd -> flagsByName.forEach((name, flags) -> names.look(node, name, fd, flags)));
  }

  /** Looks at all known files. */
  void lookAtFiles(DirectoryNode node) {
    searching(
        node,
        fd -> {
          try {
            context.watches().tune(node, fd);
          } finally {
            for (PosixPath name : List.copyOf(node.files.keySet())) {
              names.look(node, name, fd, EntryCheck.NO_EVENT);
            }
          }
        });
  }

  private interface Work {
    void in(int directoryFd) throws ErrnoException;
  }

  private void searching(DirectoryNode node, Work work) {
    try (Descriptor directory = context.opener().open(node, SEARCH)) {
      if (node.key.isOf(context.calls().fstat(directory.fd()))) {
        work.in(directory.fd());
      } else {
        recheck(node);
      }
    } catch (ErrnoException e) {
      if (EntryCheck.isAbsent(e)) {
        recheck(node);
      } else {
        context.unobservable().report(node.path, e);
      }
    }
  }

  private boolean isSettledByEvent(DirectoryNode node, Map.Entry<PosixPath, Integer> event) {
    PosixPath name = event.getKey();
    int flags = event.getValue();
    FileEntry file = node.files.get(name);
    if (file != null) {
      if ((flags & DirtyNames.MODIFIED) != 0) {
        work.results().modified(file);
      }
      // The snapshot stays old, so that the next scan reports the file once more.
      return flags == DirtyNames.MODIFIED;
    }
    if (node.directories.containsKey(name)) {
      return false;
    }
    boolean wanted =
        (flags & DirtyNames.DIRECTORY) != 0
            ? context.wantsDirectory(node, name) || context.wantsFile(node, name)
            : context.wantsFile(node, name);
    return !wanted && !context.follows(node, name);
  }

  /** Looks up the name of a directory in its parent, after its path did not lead to it. */
  private void recheck(DirectoryNode node) {
    DirectoryNode parent = node.parent;
    if (parent == null) {
      work.lose(node, false);
    } else if (!node.lost) {
      // Through the parent's descriptor, since a component further up may have changed.
      searching(parent, fd -> names.look(parent, node.name, fd, EntryCheck.NO_EVENT));
      if (!node.lost && !node.isBelowLost()) {
        work.rescan(node);
      }
    }
  }
}
