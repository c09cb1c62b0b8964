package dev.tailwater.io.watch;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.DirtyNames;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks at all or some names of a directory: one open, then one statx(2) per name through the
 * descriptor, so that a path that leads elsewhere by now does no harm. Several directories are
 * listed in turn, so that a long one does not delay the others.
 */
final class DirectoryScanner implements AutoCloseable {
  /** Each holds a descriptor. Those that must wait do not count, so each root has at most these. */
  private static final int MAX_SCANS = 8;

  private static final Set<OpenFlag> LIST = EnumSet.noneOf(OpenFlag.class);
  private static final Set<OpenFlag> SEARCH = EnumSet.of(OpenFlag.PATH);

  private final WatchContext context;
  private final PassWork work;
  private final EntryCheck names;
  private final Deque<DirectoryScan> scans = new ArrayDeque<>();

  DirectoryScanner(WatchContext context, PassWork work) {
    this.context = context;
    this.work = work;
    this.names = new EntryCheck(context, work);
  }

  /** Returns whether another scan may begin. */
  boolean hasRoom() {
    return scans.size() < MAX_SCANS
        || scans.stream().filter(scan -> !context.mustWait(scan.node())).count() < MAX_SCANS;
  }

  /** Returns whether {@link #proceed} has something to do. */
  boolean canProceed() {
    return scans.stream().anyMatch(scan -> !context.mustWait(scan.node()));
  }

  /** Returns the directories whose scans must wait. */
  List<DirectoryNode> waiting() {
    return scans.stream().map(DirectoryScan::node).filter(context::mustWait).toList();
  }

  EntryCheck names() {
    return names;
  }

  /** Returns whether a scan has begun and is not complete. */
  boolean isScanning() {
    return !scans.isEmpty();
  }

  /**
   * Begins to list the directory and to compare it with what is known.
   *
   * @param deep whether known directories below are scanned too; new ones always are
   */
  void begin(DirectoryNode node, boolean deep) {
    // The one before would no longer be valid.
    boolean alsoDeep = scans.stream().anyMatch(scan -> scan.node() == node && scan.isDeep());
    try {
      Descriptor directory = context.opener().open(node, LIST);
      scans.addFirst(new DirectoryScan(context, work, names, node, deep || alsoDeep, directory));
      proceedWithFirst();
    } catch (ErrnoException e) {
      failed(node, e);
    }
  }

  /** Does the next step of the scan whose turn it is; false when all must wait. */
  boolean proceed() {
    for (int i = scans.size(); i > 0; i--) {
      if (!context.mustWait(scans.getFirst().node())) {
        proceedWithFirst();
        return true;
      }
      scans.addLast(scans.removeFirst());
    }
    return false;
  }

  private void proceedWithFirst() {
    DirectoryScan scan = scans.getFirst();
    boolean goesOn = scan.isValid() && step(scan);
    scans.removeFirst();
    if (goesOn) {
      scans.addLast(scan);
    } else {
      close(scan);
    }
  }

  /** Returns whether there is more to do. */
  private boolean step(DirectoryScan scan) {
    DirectoryNode node = scan.node();
    try {
      switch (scan.proceed()) {
        case MORE_TO_DO -> {
          return true;
        }
        case COMPLETE -> {
          if (node.reportedForNamesInScan != node.scan) {
            context.unobservable().resolved(node.path);
          }
        }
        case ELSEWHERE -> recheck(node);
      }
    } catch (ErrnoException e) {
      failed(node, e);
    }
    return false;
  }

  private void failed(DirectoryNode node, ErrnoException e) {
    if (EntryCheck.isAbsent(e)) {
      recheck(node);
    } else {
      context.unobservable().report(node.path, e);
    }
  }

  private void close(DirectoryScan scan) {
    try {
      scan.close();
    } catch (ErrnoException e) {
      context.unobservable().report(scan.node().path, e);
    }
  }

  /** Gives up what is not complete. */
  @Override
  public void close() {
    scans.forEach(this::close);
    scans.clear();
  }

  /** Looks at the names that events reported. */
  void look(DirectoryNode node, Map<PosixPath, Integer> flagsByName) {
    flagsByName.entrySet().removeIf(entry -> isSettledByEvent(node, entry));
    if (flagsByName.isEmpty()) {
      return;
    }
    searching(node, fd -> flagsByName.forEach((name, flags) -> names.look(node, name, fd, flags)));
  }

  /** Watches the directory as it is to be watched now, under its path. */
  void watchAnew(DirectoryNode node) {
    searching(node, fd -> context.watches().tune(node, fd));
  }

  /** Looks at all known files. */
  void lookAtFiles(DirectoryNode node) {
    searching(
        node,
        fd -> {
          try {
            context.watches().tune(node, fd);
          } finally {
            lookAtFiles(node, fd);
          }
        });
  }

  private void lookAtFiles(DirectoryNode node, int dirFd) {
    List<PosixPath> some = node.files.namesAfter(PosixPath.EMPTY);
    while (!some.isEmpty()) {
      some.forEach(name -> names.look(node, name, dirFd, EntryCheck.NO_EVENT));
      some = node.files.namesAfter(some.getLast());
    }
  }

  private interface Work {
    void in(int directoryFd) throws ErrnoException;
  }

  private void searching(DirectoryNode node, Work work) {
    try (Descriptor directory = context.opener().open(node, SEARCH)) {
      FileStatus status = context.calls().fstat(directory.fd());
      if (node.key.isOf(status) && !context.isLeftOut(status)) {
        work.in(directory.fd());
      } else {
        recheck(node);
      }
    } catch (ErrnoException e) {
      failed(node, e);
    }
  }

  private boolean isSettledByEvent(DirectoryNode node, Map.Entry<PosixPath, Integer> event) {
    PosixPath name = event.getKey();
    int flags = event.getValue();
    if (node.files.contains(name)) {
      if ((flags & DirtyNames.MODIFIED) != 0) {
        work.results().modified(node, name);
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
