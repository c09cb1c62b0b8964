package dev.tailwater.io.watch;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.InodeKey;
import dev.tailwater.io.watch.name.KnownFiles;
import dev.tailwater.io.watch.result.PassResults;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One look at a part of the tree, from the first name to the last change. Events, polling, overflow
 * and the reconcile scan use the same code and differ only in where they look. A long scan is done
 * in portions, and the names of events are looked at in between. The fate of a missing name is
 * decided at the end of the pass, since it may turn up elsewhere.
 */
final class Pass implements AutoCloseable {
  private final WatchContext context;
  private final PassWork work;
  private final PassResults results;
  private final DirectoryScanner scanner;
  private final LongSupplier nanoClock;

  /** Files of directories that are gone, or too long to be renamed file by file. */
  private final Deque<Forgotten> forgotten = new ArrayDeque<>();

  /** Looks for names below roots whose directories must wait. */
  private final Map<DirectoryNode, AheadSearch> ahead = new LinkedHashMap<>();

  /** Whether directories were listed since the searches ahead were told which must wait. */
  private boolean isListed = true;

  /** Whether nothing was left when the last portion ended but directories that must wait. */
  private boolean isHeld;

  private record Forgotten(PosixPath reportedPath, KnownFiles files) {}

  /**
   * @param number greater than that of every pass before; at least 1
   */
  Pass(WatchContext context, long number, Portion portion, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.context = context;
    this.work = new PassWork(context, number, portion);
    this.results = work.results();
    this.scanner = new DirectoryScanner(context, work);
  }

  void scanDeep(DirectoryNode node) {
    work.scanDeep(node);
    lookAhead(node);
  }

  void scanAlone(DirectoryNode node) {
    work.scanAlone(node);
    lookAhead(node);
  }

  private void lookAhead(DirectoryNode node) {
    AheadSearch search = ahead.get(node.root());
    if (search != null) {
      search.add(List.of(node));
    }
  }

  void look(DirectoryNode node, Map<PosixPath, Integer> flagsByName) {
    if (isHere(node)) {
      scanner.look(node, flagsByName);
    }
  }

  /** Looks at all known files of the directory. */
  void lookAtFiles(DirectoryNode node) {
    if (isHere(node)) {
      scanner.lookAtFiles(node);
    }
  }

  /** Tells the watch of a directory its path: another thread may have seen it at another one. */
  void watchAnew(DirectoryNode node) {
    if (isHere(node)) {
      scanner.watchAnew(node);
    }
  }

  /** Records that a directory is not where it was, and not known to be deleted. */
  void lose(DirectoryNode node) {
    work.lose(node, false);
  }

  boolean anythingMissing() {
    return work.anythingMissing();
  }

  /** Returns the directories that are not where they were, as far as is known; a copy. */
  List<DirectoryNode> missing() {
    return work.missing();
  }

  /**
   * Does a portion of the queued work, including the work that it causes.
   *
   * @return whether all of it is done
   */
  boolean run() throws ErrnoException {
    work.portion().begin();
    isHeld = false;
    do {
      if (!runNext()) {
        isHeld = scanner.isScanning() || work.hasScans();
        return !isHeld;
      }
    } while (!work.portion().isOver());
    // So that the queue of new directories grows no longer than a portion.
    for (Optional<PassWork.Fresh> next = work.nextFresh();
        next.isPresent();
        next = work.nextFresh()) {
      adopt(next.get());
    }
    return false;
  }

  /** Returns whether there is nothing to do but to list directories that must wait. */
  boolean isHeld() {
    return isHeld && !scanner.canProceed() && !work.hasScanNow(context::mustWait);
  }

  private boolean runNext() throws ErrnoException {
    Optional<PassWork.Scan> scan =
        scanner.hasRoom() ? work.nextScan(context::mustWait) : Optional.empty();
    if (scan.isPresent()) {
      begin(scan.get());
      isListed = true;
      return true;
    }
    if (scanner.proceed()) {
      isListed = true;
      return true;
    }
    Optional<PassWork.Fresh> fresh = work.nextFresh();
    if (fresh.isPresent()) {
      adopt(fresh.get());
      return true;
    }
    return searchAhead();
  }

  /** Looks for names in directories that must wait; false when there is nothing to do. */
  private boolean searchAhead() {
    if (isListed) {
      isListed = false;
      for (DirectoryNode root : rootsThatWait()) {
        addWaiting(
            ahead.computeIfAbsent(
                root, _ -> new AheadSearch(context, work, scanner.names(), root, nanoClock)),
            root);
      }
    }
    for (Map.Entry<DirectoryNode, AheadSearch> search : ahead.entrySet()) {
      if (search.getValue().beginAgain()) {
        addWaiting(search.getValue(), search.getKey());
      }
      if (search.getValue().proceed()) {
        return true;
      }
    }
    return false;
  }

  private Set<DirectoryNode> rootsThatWait() {
    Set<DirectoryNode> roots = new LinkedHashSet<>();
    scanner.waiting().forEach(node -> roots.add(node.root()));
    work.rootsToScan().stream().filter(context::mustWait).forEach(roots::add);
    return roots;
  }

  private void addWaiting(AheadSearch search, DirectoryNode root) {
    search.add(scanner.waiting().stream().filter(node -> node.root() == root).toList());
    search.add(work.queuedBelow(root));
  }

  private void begin(PassWork.Scan next) {
    DirectoryNode node = next.node();
    if (!isHere(node) || (next.deep() && node.scannedInPass == work.number())) {
      return;
    }
    if (next.deep()) {
      node.scannedInPass = work.number();
    }
    scanner.begin(node, next.deep());
  }

  private boolean isHere(DirectoryNode node) {
    return !node.lost && context.tree().contains(node);
  }

  private void adopt(PassWork.Fresh found) throws ErrnoException {
    DirectoryNode parent = found.parent();
    if (!isHere(parent) || parent.directories.containsKey(found.name())) {
      return;
    }
    DirectoryNode known = context.tree().byKey(found.key());
    if (known != null && work.isDeleted(known)) {
      drop(known);
      known = null;
    }
    PosixPath path = parent.path.resolve(found.name());
    if (known == null) {
      if (isMadeUp(found, path)) {
        return;
      }
      if (!context.tree().names().hasRoomForDirectory(parent, found.name())) {
        context.tree().names().leftOutAtLeast(parent, 1);
        return;
      }
      DirectoryNode node =
          new DirectoryNode(
              found.key(), found.ownerId(), parent, found.name(), path, found.throughLink());
      node.seenInScan = parent.scan;
      parent.directories.put(found.name(), node);
      context.tree().add(node);
      scanDeep(node);
    } else if (!parent.isBelow(known)
        && (known.lost || known.restricted || outdated(known, found))) {
      known.restricted = false; // It was watched for the names of some roots only.
      known.throughLink = found.throughLink();
      move(known, parent, found.name(), path);
    } else {
      refuseTwin(known, parent, path);
    }
  }

  /** Returns whether a directory was found on a file system of the kernel's, which is reported. */
  private boolean isMadeUp(PassWork.Fresh found, PosixPath path) {
    DirectoryNode parent = found.parent();
    if (found.key().device() == parent.key.device()) {
      return false;
    }
    try {
      context.opener().refuseMadeUp(parent.root().path, path);
      return false;
    } catch (ErrnoException e) {
      context.unobservable().report(path, e);
      return true;
    }
  }

  private void refuseTwin(DirectoryNode known, DirectoryNode parent, PosixPath path) {
    try {
      context.opener().refuseTwin(known, parent.root().path, path);
    } catch (ErrnoException e) {
      context.unobservable().report(path, e);
    }
  }

  /** Returns whether a known directory is to move to the place where it was just found. */
  private boolean outdated(DirectoryNode known, PassWork.Fresh found) {
    if (known.isBelowLost() || (known.throughLink && !found.throughLink())) {
      // Another directory may have taken its place, so its path says nothing about it.
      return true;
    }
    try (Descriptor there = context.opener().open(known, EnumSet.of(OpenFlag.PATH))) {
      return !known.key.isOf(context.calls().fstat(there.fd()));
    } catch (ErrnoException e) {
      // Anything else but absence says nothing about where it is.
      return EntryCheck.isAbsent(e);
    }
  }

  /** Returns the node of a directory at a path that leads to it from outside the tree. */
  DirectoryNode nodeAt(PosixPath path, FileStatus status) {
    InodeKey key = InodeKey.of(status);
    DirectoryNode known = context.tree().byKey(key);
    if (known == null) {
      known = new DirectoryNode(key, status.ownerId(), null, PosixPath.EMPTY, path, false);
      context.tree().add(known);
    } else if (known.lost) {
      move(known, null, PosixPath.EMPTY, path);
    }
    return known;
  }

  /** Moves a known directory, with its watch and everything below it, to another place. */
  void move(DirectoryNode node, @Nullable DirectoryNode parent, PosixPath name, PosixPath path) {
    context.tree().names().beforeMove(node);
    if (node.parent != null) {
      node.parent.directories.remove(node.name, node);
    }
    work.settle(node);
    node.lost = false;
    node.parent = parent;
    node.name = name;
    if (parent != null) {
      node.seenInScan = parent.scan;
      parent.directories.put(name, node);
    }
    context.tree().names().afterMove(node);
    renamed(node, path);
    scanDeep(node);
  }

  private void renamed(DirectoryNode node, PosixPath path) {
    context.unobservable().directoryGone(node.path);
    node.path = path;
    node.scannedInPass = 0;
    if (node.files.size() > work.portion().maxUndecided()) {
      forgetFiles(node); // The scan finds them again.
    } else {
      results.moved(node);
      removeUnwanted(node);
    }
    for (DirectoryNode child : List.copyOf(node.directories.values())) {
      if (context.wantsDirectory(node, child.name)) {
        renamed(child, path.resolve(child.name));
      } else {
        work.lose(child, false);
      }
    }
  }

  /** Makes those files of a directory gone that are not wanted there. */
  private void removeUnwanted(DirectoryNode node) {
    List<PosixPath> names = node.files.namesAfter(PosixPath.EMPTY);
    while (!names.isEmpty()) {
      names.forEach(name -> removeUnwanted(node, name));
      names = node.files.namesAfter(names.getLast());
    }
  }

  /** Makes a file gone if it is not wanted where it is. */
  void removeUnwanted(DirectoryNode node, PosixPath name) {
    if (!context.wantsFile(node, name)) {
      context.tree().removeFile(node, name).ifPresent(file -> results.gone(node, name, file, true));
    }
  }

  /** Returns whether {@link #take} must be called again before anything else is looked at. */
  boolean hasMoreToTake() {
    return !forgotten.isEmpty();
  }

  /**
   * Returns the changes since the last call. Directories that are missing are gone, though their
   * files may turn up until the pass ends.
   *
   * @param last whether the pass has ended: names that are still missing are gone
   * @param roots know which files were reported where
   */
  List<WatchChange> take(boolean last, Roots roots) throws ErrnoException {
    for (DirectoryNode node : work.missing()) {
      drop(node);
    }
    context.tree().names().settlePending();
    ChangeList changes = new ChangeList();
    changes.addAll(context.unobservable().take());
    if (takeForgotten()) {
      results.take(last, roots::haveReported, changes);
    } else {
      results.takeGone(
          roots::haveReported, changes); // New files may be at the paths of those that follow.
    }
    if (last) {
      changes.addAll(context.watches().take()); // With the number of all polled directories.
    }
    changes.addAll(context.tree().names().take());
    return changes.changes();
  }

  /** Makes files gone, as many as may be undecided at once; returns whether these are all. */
  private boolean takeForgotten() {
    int left = work.portion().maxUndecided();
    while (!forgotten.isEmpty() && left > 0) {
      Forgotten next = forgotten.getFirst();
      List<PosixPath> names = next.files().namesAfter(PosixPath.EMPTY);
      for (PosixPath name : names) {
        next.files()
            .remove(name)
            .ifPresent(file -> results.gone(next.reportedPath().resolve(name), file));
      }
      left -= names.size();
      if (names.isEmpty()) {
        forgotten.removeFirst();
      }
    }
    return forgotten.isEmpty();
  }

  private void drop(DirectoryNode node) throws ErrnoException {
    work.settle(node);
    node.lost = true;
    for (DirectoryNode child : List.copyOf(node.directories.values())) {
      drop(child);
    }
    forgetFiles(node);
    node.directories.clear();
    if (node.parent != null) {
      context.unobservable().directoryGone(node.path);
    } else { // That of a root is over when the root is found or absent.
      context.unobservable().namesGone(node.path);
    }
    context.watches().release(node);
  }

  private void forgetFiles(DirectoryNode node) {
    if (node.files.size() > 0) {
      forgotten.add(new Forgotten(node.reportedPath, context.tree().takeFiles(node)));
    }
    node.reportedPath = node.path;
  }

  @Override
  public void close() {
    ahead.values().forEach(AheadSearch::close);
    scanner.close();
  }
}
