package dev.tailwater.io.watch;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.DirtyNames;
import dev.tailwater.io.watch.event.InodeKey;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The watched roots, and the directories in the tree that stand for them. */
final class Roots {
  private static final Set<StatFlag> FOLLOW = EnumSet.noneOf(StatFlag.class);

  /** Events of a name that may have come, or be that of a directory now, or of a link to one. */
  private static final int COME = DirtyNames.DIRECTORY | DirtyNames.CREATED | DirtyNames.MOVED;

  private static final class Root {
    final PosixPath path;

    /** The directory, or the parent of the file; null while the root does not exist. */
    @Nullable DirectoryNode node;

    boolean isFile;

    /** The directory that is watched for the root, which does not exist; null for none. */
    @Nullable DirectoryNode awaitedIn;

    /** As the mount table has it, without links. */
    PosixPath realPath;

    Root(PosixPath path) {
      this.path = path;
      this.realPath = path;
    }
  }

  private final WatchContext context;
  private final List<Root> roots = new ArrayList<>();

  Roots(WatchContext context, List<PosixPath> paths) {
    this.context = context;
    paths.forEach(path -> roots.add(new Root(withoutTrailingSlash(path))));
  }

  /** Throws {@link IllegalArgumentException} for the first path that is not absolute. */
  static void requireAbsolute(List<PosixPath> paths) {
    for (PosixPath path : paths) {
      if (!path.isAbsolute()) {
        throw new IllegalArgumentException("not an absolute path to watch: " + path);
      }
    }
  }

  private static PosixPath withoutTrailingSlash(PosixPath path) {
    PosixPath shorter = path;
    while (shorter.lengthBytes() > 1 && shorter.fileName().isEmpty()) {
      shorter = shorter.parent();
    }
    return shorter;
  }

  /**
   * Returns whether a root does not exist, or lies behind a link: no event tells that the link
   * leads elsewhere.
   */
  boolean anyToLookFor() {
    return roots.stream().anyMatch(root -> !isPresent(root) || !root.realPath.equals(root.path));
  }

  private boolean isPresent(Root root) {
    return root.node != null && !root.node.lost && context.tree().contains(root.node);
  }

  /** Returns the known directory at a path; null for none. */
  @Nullable DirectoryNode directory(PosixPath path) {
    for (Root root : roots) {
      if (isAt(root.node, path)) {
        return root.node;
      }
      if (isAt(root.awaitedIn, path)) {
        return root.awaitedIn;
      }
    }
    if (path.lengthBytes() <= 1) {
      return null;
    }
    DirectoryNode parent = directory(path.parent());
    return parent == null ? null : parent.directories.get(path.fileName());
  }

  private static boolean isAt(@Nullable DirectoryNode node, PosixPath path) {
    return node != null && !node.lost && node.path.equals(path);
  }

  /** Finds out what those roots lead to now of whose names events tell. */
  void checkNamed(Map<DirectoryNode, Map<PosixPath, Integer>> flagsByName, Pass pass) {
    for (Root root : roots) {
      DirectoryNode in = namedIn(root);
      int flags =
          in == null
              ? 0
              : flagsByName.getOrDefault(in, Map.of()).getOrDefault(root.path.fileName(), 0);
      if ((flags & COME) != 0) {
        check(root, pass);
      }
    }
  }

  /** Returns the directory that is watched for the name of a root; null for none. */
  private static @Nullable DirectoryNode namedIn(Root root) {
    return root.isFile ? root.node : root.awaitedIn;
  }

  /** Finds out what the roots lead to now, and queues a scan of what has changed. */
  void check(Pass pass) {
    roots.forEach(root -> check(root, pass));
  }

  /** Returns whether a mount at this place hides or shows a root, or something below one. */
  boolean areConcernedBy(PosixPath mountPoint) {
    return roots.stream()
        .anyMatch(
            root -> root.realPath.startsWith(mountPoint) || mountPoint.startsWith(root.realPath));
  }

  /** Looks at the places where something was mounted or unmounted. */
  void lookAtMountPoints(Set<PosixPath> mountPoints, Pass pass) {
    for (Root root : roots) {
      if (mountPoints.stream().anyMatch(root.realPath::startsWith)) {
        if (root.node != null && root.isFile) {
          look(root.node, root.path.fileName(), pass);
        }
        check(root, pass);
      }
      mountPoints.stream()
          .filter(point -> point.startsWith(root.realPath) && !point.equals(root.realPath))
          .map(point -> root.path.resolve(point.below(root.realPath)))
          .forEach(path -> lookBelow(root, path, pass));
    }
  }

  /** Looks at a path, or at the first name of it that is not known. */
  private void lookBelow(Root root, PosixPath path, Pass pass) {
    PosixPath there = path;
    while (there.lengthBytes() > root.path.lengthBytes()) {
      DirectoryNode parent = directory(there.parent());
      if (parent != null) {
        look(parent, there.fileName(), pass);
        return;
      }
      there = there.parent();
    }
  }

  private static void look(DirectoryNode node, PosixPath name, Pass pass) {
    Map<PosixPath, Integer> flagsByName = new HashMap<>();
    flagsByName.put(name, DirtyNames.CHECK | DirtyNames.DIRECTORY);
    pass.look(node, flagsByName);
  }

  /** Queues a scan of everything. */
  void scan(Pass pass) {
    for (Root root : roots) {
      if (root.node != null) {
        pass.scanDeep(root.node);
      }
    }
  }

  private void check(Root root, Pass pass) {
    FileStatus status;
    try {
      status = context.opener().root(root.path);
    } catch (ErrnoException e) {
      if (context.opener().isRefused(e)) {
        // The former root has moved; the link in its place must not be followed.
        lose(root, pass);
        await(root, pass);
        context.unobservable().report(root.path, e);
        return;
      }
      if (!EntryCheck.isAbsent(e)) {
        context.unobservable().report(root.path, e);
        return;
      }
      context.unobservable().resolved(root.path);
      lose(root, pass);
      await(root, pass);
      return;
    }
    if (liesInLeftOut(root.path, status)) {
      context.unobservable().resolved(root.path);
      lose(root, pass); // As if there were nothing at this path.
    } else if (status.type() == EntryType.DIRECTORY) {
      if (!checkDirectory(root, status, pass)) {
        return;
      }
    } else if (status.type() != EntryType.REGULAR) {
      lose(root, pass); // A pipe, socket or device: what is to be watched may still come.
      await(root, pass);
    } else if (!checkFile(root, pass)) {
      return;
    }
    if (root.node == null) {
      context.unobservable().resolved(root.path);
    }
  }

  /** Returns whether the root, or a directory above it, is left out. */
  private boolean liesInLeftOut(PosixPath path, FileStatus status) {
    if (context.options().leftOut().isEmpty()) {
      return false;
    }
    boolean leftOut = context.isLeftOut(status);
    for (PosixPath above = path; !leftOut && above.lengthBytes() > 1; ) {
      above = above.parent();
      try {
        leftOut = context.isLeftOut(context.calls().statx(FileCalls.AT_FDCWD, above, FOLLOW));
      } catch (ErrnoException e) {
        return false; // The next look at the root finds that it is gone, too.
      }
    }
    return leftOut;
  }

  private void lose(Root root, Pass pass) {
    DirectoryNode node = root.node;
    if (node == null || root.isFile) {
      return;
    }
    if (node.parent == null && node.path.equals(root.path)) {
      pass.lose(node);
    }
    root.node = null;
  }

  /**
   * Watches the directory of a root that does not exist for its name alone: a file that comes to
   * that name may have another one, or none, before the next look at the roots.
   */
  private void await(Root root, Pass pass) {
    isNoFileNow(root); // Unless another directory has taken its place, its watch stays.
    if (root.path.lengthBytes() <= 1) {
      return;
    }
    PosixPath directory = root.path.parent();
    try (Descriptor open = context.opener().openBelow(directory, directory)) {
      FileStatus status = context.calls().fstat(open.fd());
      DirectoryNode known = context.tree().byKey(InodeKey.of(status));
      if (known != null && known == root.awaitedIn && !known.lost) {
        return;
      }
      stopAwaiting(root, pass);
      if (!liesInLeftOut(directory, status)) {
        root.awaitedIn = watchFor(root.path.fileName(), directory, status, pass);
        pass.scanDeep(root.awaitedIn);
      }
    } catch (ErrnoException e) {
      // There is no such directory, or none that can be watched: the next look at the roots tells.
      stopAwaiting(root, pass);
    }
  }

  private static void isNoFileNow(Root root) {
    if (root.isFile) {
      root.awaitedIn = root.node;
      root.node = null;
      root.isFile = false;
    }
  }

  /** Ends the watch of a directory for the name of a root that is no file in it. */
  private void stopAwaiting(Root root, Pass pass) {
    DirectoryNode node = root.awaitedIn;
    root.awaitedIn = null;
    PosixPath name = root.path.fileName();
    if (node == null || isNamed(node, name)) {
      return;
    }
    node.explicitNames.remove(name);
    if (node.restricted && node.explicitNames.isEmpty()) {
      context.unobservable().resolved(node.path); // No source is in it any more.
      if (!node.lost) {
        pass.lose(node);
      }
    } else if (node.restricted) {
      pass.removeUnwanted(node);
    }
  }

  /** Returns whether a root has this name in a directory: several may, by links or mounts. */
  private boolean isNamed(DirectoryNode node, PosixPath name) {
    return roots.stream()
        .anyMatch(root -> namedIn(root) == node && root.path.fileName().equals(name));
  }

  /** Watches the directory of a root; false after a report that this failed. */
  private boolean checkDirectory(Root root, FileStatus status, Pass pass) {
    DirectoryNode node = root.node;
    if (node != null && !root.isFile && isPresent(root) && node.key.isOf(status)) {
      return true;
    }
    isNoFileNow(root);
    lose(root, pass);
    stopAwaiting(root, pass);
    try {
      refuseTwin(context.tree().byKey(InodeKey.of(status)), root.path);
    } catch (ErrnoException e) {
      context.unobservable().report(root.path, e);
      return false;
    }
    DirectoryNode found = nodeFor(root.path, status, pass);
    if (found.restricted && !found.path.equals(root.path)) {
      pass.move(found, null, PosixPath.EMPTY, root.path); // What is wanted goes by this path.
    }
    found.restricted = false;
    root.node = found;
    root.realPath = context.opener().realPath(root.path);
    pass.scanDeep(root.node);
    return true;
  }

  /** Watches the directory of a root that is a file; false after a report that this failed. */
  private boolean checkFile(Root root, Pass pass) {
    PosixPath directory = root.path.parent();
    try {
      FileStatus status = context.opener().root(directory);
      DirectoryNode before = root.node;
      if (before != null && root.isFile && isPresent(root) && before.key.isOf(status)) {
        return true;
      }
      isNoFileNow(root);
      lose(root, pass);
      DirectoryNode node = watchFor(root.path.fileName(), directory, status, pass);
      if (node != root.awaitedIn) {
        stopAwaiting(root, pass);
      }
      root.awaitedIn = null;
      root.node = node;
      root.isFile = true;
      root.realPath = context.opener().realPath(directory).resolve(root.path.fileName());
      pass.scanDeep(node);
    } catch (ErrnoException e) {
      if (!EntryCheck.isAbsent(e) || context.opener().isRefused(e)) {
        context.unobservable().report(root.path, e);
        return false;
      }
    }
    return true;
  }

  private DirectoryNode watchFor(PosixPath name, PosixPath directory, FileStatus status, Pass pass)
      throws ErrnoException {
    DirectoryNode known = context.tree().byKey(InodeKey.of(status));
    refuseTwin(known, directory);
    boolean isWhole = known != null && !known.lost && !known.restricted;
    if (known != null) { // It may be moved, and loses what is not wanted then.
      known.restricted = !isWhole;
      known.explicitNames.add(name);
    }
    DirectoryNode node = nodeFor(directory, status, pass);
    node.restricted = !isWhole;
    node.explicitNames.add(name);
    return node;
  }

  private void refuseTwin(@Nullable DirectoryNode known, PosixPath path) throws ErrnoException {
    if (known != null) {
      context.opener().refuseTwin(known, path, path);
    }
  }

  private DirectoryNode nodeFor(PosixPath path, FileStatus status, Pass pass) {
    InodeKey key = InodeKey.of(status);
    DirectoryNode known = context.tree().byKey(key);
    if (known == null) {
      known = new DirectoryNode(key, status.ownerId(), null, PosixPath.EMPTY, path, false);
      context.tree().add(known);
    } else if (known.lost) {
      pass.move(known, null, PosixPath.EMPTY, path);
    }
    return known;
  }
}
