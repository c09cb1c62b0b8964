package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.DirtyNames;
import dev.tailwater.io.watch.event.InodeKey;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The watched roots, and the directories in the tree that stand for them. */
final class Roots {
  /** Events of a name that may have come, or be that of a directory now, or of a link to one. */
  private static final int COME = DirtyNames.DIRECTORY | DirtyNames.CREATED | DirtyNames.MOVED;

  private static final int MOVED_DIRECTORY = DirtyNames.DIRECTORY | DirtyNames.MOVED;

  /** How often one root is looked at when each time there is something else than just before. */
  private static final int MOST_LOOKS = 8;

  /** A watched root, and where it was found, or is awaited. */
  static final class Root {
    final PosixPath path;

    /** The root, if it is a directory; null otherwise. */
    @Nullable DirectoryNode directory;

    /** Whether it is a file, in {@link #namedIn}. */
    boolean isFile;

    /**
     * The directory that is watched for one name of the path: that of the file, or the first one
     * that does not exist; null for none. It belongs to {@link AwaitedRoots}, as the next one does.
     */
    @Nullable DirectoryNode namedIn;

    /** The path up to that name, with it. */
    PosixPath named;

    /** As the mount table has it, without links. */
    PosixPath realPath;

    Root(PosixPath path) {
      this.path = path;
      this.named = path;
      this.realPath = path;
    }

    /** Returns the directory, or the parent of the file; null while the root does not exist. */
    @Nullable DirectoryNode node() {
      return isFile ? namedIn : directory;
    }
  }

  /** What a look has led to. */
  private enum Outcome {
    SETTLED,

    /** It was reported. */
    FAILED,

    /** There is something else by now. */
    CHANGED
  }

  private final WatchContext context;
  private final AwaitedRoots awaited;
  private final List<Root> roots = new ArrayList<>();

  /** The roots by their own paths, and by those of their parents. */
  private final Map<PosixPath, List<Root>> rootsByPlace = new HashMap<>();

  /** The roots below each directory above one, by the paths of both. */
  private final Map<PosixPath, List<Root>> rootsBelow = new HashMap<>();

  private final Map<DirectoryNode, Set<Root>> rootsByDirectory = new HashMap<>();

  /** Those that were found, and whose directories may not have been watched then. */
  private final Set<Root> unconfirmed = new LinkedHashSet<>();

  Roots(WatchContext context, List<PosixPath> paths) {
    this.context = context;
    this.awaited = new AwaitedRoots(context);
    for (PosixPath path : paths) {
      Root root = new Root(withoutTrailingSlash(path));
      roots.add(root);
      for (PosixPath place : List.of(root.path, withoutTrailingSlash(root.path.parent()))) {
        rootsByPlace.computeIfAbsent(place, _ -> new ArrayList<>(1)).add(root);
      }
      for (PosixPath above = root.path; above.lengthBytes() > 1; ) {
        above = withoutTrailingSlash(above.parent());
        rootsBelow.computeIfAbsent(above, _ -> new ArrayList<>(1)).add(root);
      }
    }
  }

  /** Throws {@link IllegalArgumentException} for the first path that is not absolute. */
  static void requireAbsolute(List<PosixPath> paths) {
    for (PosixPath path : paths) {
      if (!path.isAbsolute()) {
        throw new IllegalArgumentException("not an absolute path to watch: " + path);
      }
    }
  }

  static PosixPath withoutTrailingSlash(PosixPath path) {
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
    DirectoryNode node = root.node();
    return node != null && !node.lost && context.tree().contains(node);
  }

  /** Returns the known directory at a path; null for none. */
  @Nullable DirectoryNode directory(PosixPath path) {
    for (Root root : rootsByPlace.getOrDefault(path, List.of())) {
      if (isAt(root.directory, path)) {
        return root.directory;
      }
      if (isAt(root.namedIn, path)) {
        return root.namedIn;
      }
    }
    if (path.lengthBytes() <= 1) {
      return null;
    }
    DirectoryNode parent = directory(path.parent());
    return parent == null ? null : parent.directories.get(path.fileName());
  }

  /** Returns whether a file was reported at a path and is known there. */
  boolean haveReported(PosixPath path) {
    DirectoryNode directory = directory(path.parent());
    return directory != null
        && directory.reportedPath.equals(directory.path)
        && directory.files.contains(path.fileName());
  }

  private static boolean isAt(@Nullable DirectoryNode node, PosixPath path) {
    return node != null && !node.lost && node.path.equals(path);
  }

  /** Finds out what those roots lead to now of whose names or directories events tell. */
  void checkNamed(DirtyNames dirty, Pass pass) {
    Set<Root> told = new LinkedHashSet<>();
    dirty.names.forEach(
        (node, flagsByName) -> {
          if (awaited.haveNamesIn(node)) {
            told.addAll(awaited.named(node, come(flagsByName)));
          }
          told.addAll(belowMoved(node, flagsByName));
        });
    dirty.gone.forEach(node -> told.addAll(rootsAt(node)));
    told.forEach(root -> check(root, pass));
  }

  /** Returns the roots that a directory is, then those that it is watched for by name; a copy. */
  private List<Root> rootsAt(DirectoryNode node) {
    List<Root> here = new ArrayList<>(rootsByDirectory.getOrDefault(node, Set.of()));
    here.addAll(awaited.namedIn(node));
    return here;
  }

  /**
   * Finds out what those roots lead to now whose directories are missing, or are watched since the
   * last look: no event tells what happened between the look and the watch.
   *
   * @return whether there were any
   */
  boolean checkAgain(Pass pass) {
    Set<Root> again = new LinkedHashSet<>();
    pass.missing().forEach(node -> again.addAll(rootsAt(node)));
    for (Root root : unconfirmed) {
      DirectoryNode node = root.node();
      if (node == null || node.lost || context.tree().isFollowed(node)) {
        again.add(root);
      }
    }
    unconfirmed.removeAll(again);
    again.forEach(root -> check(root, pass));
    return !again.isEmpty();
  }

  private static List<PosixPath> come(Map<PosixPath, Integer> flagsByName) {
    List<PosixPath> come = new ArrayList<>(0);
    flagsByName.forEach(
        (name, flags) -> {
          if ((flags & COME) != 0) {
            come.add(name);
          }
        });
    return come;
  }

  /** Returns the roots below directories that have moved: no event of their own tells of that. */
  private List<Root> belowMoved(DirectoryNode node, Map<PosixPath, Integer> flagsByName) {
    List<Root> below = new ArrayList<>(0);
    if (rootsBelow.containsKey(node.path)) {
      flagsByName.forEach(
          (name, flags) -> {
            if ((flags & MOVED_DIRECTORY) == MOVED_DIRECTORY) {
              below.addAll(rootsBelow.getOrDefault(node.path.resolve(name), List.of()));
            }
          });
    }
    return below;
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
        if (root.isFile && root.namedIn != null) {
          look(root.namedIn, root.path.fileName(), pass);
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
    roots.stream().map(Root::node).filter(Objects::nonNull).forEach(pass::scanDeep);
    awaited.directories().forEach(pass::scanDeep);
  }

  private void check(Root root, Pass pass) {
    int looks = 1;
    while (look(root, pass) && looks < MOST_LOOKS) {
      looks++;
    }
  }

  /** Returns whether to look again, since something has come meanwhile. */
  private boolean look(Root root, Pass pass) {
    FileStatus status;
    try {
      status = context.opener().root(root.path);
    } catch (ErrnoException e) {
      if (context.opener().isRefused(e)) {
        // The former root has moved; the link in its place must not be followed.
        boolean hasCome = loseAndAwait(root, pass);
        if (!hasCome) {
          context.unobservable().report(root.path, e);
        }
        return hasCome;
      }
      if (!EntryCheck.isAbsent(e)) {
        context.unobservable().report(root.path, e);
        return false;
      }
      context.unobservable().resolved(root.path);
      return loseAndAwait(root, pass);
    }
    Outcome outcome = Outcome.SETTLED;
    if (context.liesInLeftOut(root.path, status)) {
      context.unobservable().resolved(root.path);
      lose(root, pass); // As if there were nothing at this path.
    } else if (status.type() == EntryType.DIRECTORY) {
      outcome = lookAtDirectory(root, status, pass);
    } else if (status.type() == EntryType.REGULAR) {
      outcome = lookAtFile(root, pass);
    } else if (loseAndAwait(root, pass)) { // A pipe or the like: what is wanted may still come.
      outcome = Outcome.CHANGED;
    }
    if (outcome == Outcome.SETTLED && root.node() == null) {
      context.unobservable().resolved(root.path);
    }
    return outcome == Outcome.CHANGED;
  }

  private boolean loseAndAwait(Root root, Pass pass) {
    lose(root, pass);
    return awaited.await(root, pass);
  }

  private void lose(Root root, Pass pass) {
    DirectoryNode node = root.directory;
    if (node == null) {
      return;
    }
    if (node.parent == null && node.path.equals(root.path)) {
      pass.lose(node);
    }
    root.directory = null;
    Set<Root> here = rootsByDirectory.getOrDefault(node, new HashSet<>());
    here.remove(root);
    if (here.isEmpty()) {
      rootsByDirectory.remove(node);
    }
  }

  /** Watches the directory of a root. */
  private Outcome lookAtDirectory(Root root, FileStatus status, Pass pass) {
    DirectoryNode node = root.directory;
    if (node != null && isPresent(root) && node.key.isOf(status)) {
      if (node.restricted) { // It was lost, and found again as the place of a name of another root.
        widen(node, root, pass);
        pass.scanDeep(node);
      }
      return Outcome.SETTLED;
    }
    root.isFile = false;
    lose(root, pass);
    awaited.stop(root, pass);
    try {
      refuseTwin(status, root.path);
    } catch (ErrnoException e) {
      context.unobservable().report(root.path, e);
      return Outcome.FAILED;
    }
    DirectoryNode found = pass.nodeAt(root.path, status);
    widen(found, root, pass);
    root.directory = found;
    rootsByDirectory.computeIfAbsent(found, _ -> new HashSet<>()).add(root);
    root.realPath = context.opener().realPath(root.path);
    unconfirmed.add(root);
    pass.scanDeep(found);
    return Outcome.SETTLED;
  }

  /** Ends the restriction to names of roots; a listing that knew of it does not count. */
  private static void widen(DirectoryNode node, Root root, Pass pass) {
    if (!node.restricted) {
      return;
    }
    if (!node.path.equals(root.path)) {
      pass.move(node, null, PosixPath.EMPTY, root.path); // What is wanted goes by this path.
    }
    node.restricted = false;
    node.scannedInPass = 0;
  }

  private void refuseTwin(FileStatus status, PosixPath path) throws ErrnoException {
    DirectoryNode known = context.tree().byKey(InodeKey.of(status));
    if (known != null) {
      context.opener().refuseTwin(known, path, path);
    }
  }

  /** Watches the directory of a root that is a file. */
  private Outcome lookAtFile(Root root, Pass pass) {
    PosixPath directory = root.path.parent();
    try {
      FileStatus status = context.opener().root(directory);
      DirectoryNode before = root.namedIn;
      if (before != null && root.isFile && isPresent(root) && before.key.isOf(status)) {
        return Outcome.SETTLED;
      }
      root.isFile = false;
      lose(root, pass);
      DirectoryNode node = awaited.watch(root, root.path, directory, status, pass);
      root.isFile = true;
      root.realPath = context.opener().realPath(directory).resolve(root.path.fileName());
      unconfirmed.add(root);
      pass.scanDeep(node);
    } catch (ErrnoException e) {
      if (EntryCheck.isAbsent(e) && !context.opener().isRefused(e)) {
        return Outcome.CHANGED;
      }
      context.unobservable().report(root.path, e);
      return Outcome.FAILED;
    }
    return Outcome.SETTLED;
  }
}
