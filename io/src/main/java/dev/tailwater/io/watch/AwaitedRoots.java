package dev.tailwater.io.watch;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.watch.Roots.Root;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.InodeKey;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The roots that a directory is watched for by name: those that are files, and those that do not
 * exist, which are awaited in the nearest directory above them that does.
 */
final class AwaitedRoots {
  private final WatchContext context;
  private final Map<DirectoryNode, Names> namesByDirectory = new LinkedHashMap<>();

  /** The names for which one directory is watched, and whose they are. */
  private record Names(
      Map<PosixPath, Set<Root>> ofRoots, Map<PosixPath, Set<Root>> ofDirectoriesAbove) {
    static final Names NONE = new Names(Map.of(), Map.of());

    Map<PosixPath, Set<Root>> of(Root root, PosixPath named) {
      return named.equals(root.path) ? ofRoots : ofDirectoriesAbove;
    }
  }

  AwaitedRoots(WatchContext context) {
    this.context = context;
  }

  /** Returns whether a directory is watched for names of roots. */
  boolean haveNamesIn(DirectoryNode node) {
    return namesByDirectory.containsKey(node);
  }

  /** Returns the roots that a directory is watched for because of one of these names; a copy. */
  List<Root> named(DirectoryNode node, Collection<PosixPath> names) {
    Names here = namesByDirectory.getOrDefault(node, Names.NONE);
    List<Root> named = new ArrayList<>(0);
    for (PosixPath name : names) {
      named.addAll(here.ofRoots().getOrDefault(name, Set.of()));
      named.addAll(here.ofDirectoriesAbove().getOrDefault(name, Set.of()));
    }
    return named;
  }

  /** Returns all roots that a directory is watched for by name; a copy. */
  List<Root> namedIn(DirectoryNode node) {
    Names here = namesByDirectory.getOrDefault(node, Names.NONE);
    List<Root> named = new ArrayList<>(0);
    here.ofRoots().values().forEach(named::addAll);
    here.ofDirectoriesAbove().values().forEach(named::addAll);
    return named;
  }

  /** Returns the directories that are watched for names; a copy. */
  List<DirectoryNode> directories() {
    return List.copyOf(namesByDirectory.keySet());
  }

  /**
   * Watches the nearest directory above a root, which does not exist, for the next name of its path
   * alone: what comes to that name may have another one, or none, before the next look at the
   * roots.
   *
   * @return whether something has come there before the directory was watched
   */
  boolean await(Root root, Pass pass) {
    root.isFile = false; // Unless another directory has taken its place, its watch stays.
    if (isStillAwaited(root)) {
      return false;
    }
    PosixPath next = root.path;
    while (next.lengthBytes() > 1) {
      PosixPath directory = Roots.withoutTrailingSlash(next.parent());
      try (Descriptor open = context.opener().openAbove(directory)) {
        return awaitIn(open, directory, next, root, pass)
            && (hasCome(root, next) || !leadsTo(directory, root.namedIn));
      } catch (ErrnoException e) {
        if (!EntryCheck.isAbsent(e)) {
          break; // One that cannot be watched: the next look at the roots tells.
        }
      }
      next = directory;
    }
    stop(root, pass);
    return false;
  }

  /** Returns whether the directory is where it was, and the name still missing. */
  private boolean isStillAwaited(Root root) {
    DirectoryNode node = root.namedIn;
    if (node == null || node.lost || !context.tree().contains(node)) {
      return false;
    }
    PosixPath directory = Roots.withoutTrailingSlash(root.named.parent());
    try (Descriptor open = context.opener().openAbove(directory)) {
      return node.key.isOf(context.calls().fstat(open.fd())) && !hasCome(root, root.named);
    } catch (ErrnoException e) {
      return false;
    }
  }

  /** Returns whether a path leads to the directory: no event tells what was before its watch. */
  private boolean leadsTo(PosixPath path, @Nullable DirectoryNode node) {
    try {
      return node != null && node.key.isOf(context.opener().root(path));
    } catch (ErrnoException e) {
      return false;
    }
  }

  /** Returns whether there is at a name what was missing there. */
  private boolean hasCome(Root root, PosixPath name) {
    try {
      EntryType type = context.opener().root(name).type();
      return type == EntryType.DIRECTORY || (type == EntryType.REGULAR && name.equals(root.path));
    } catch (ErrnoException e) {
      return false;
    }
  }

  /** Watches an open directory for a name; false if it is left out. */
  private boolean awaitIn(
      Descriptor open, PosixPath directory, PosixPath next, Root root, Pass pass)
      throws ErrnoException {
    FileStatus status = context.calls().fstat(open.fd());
    if (context.liesInLeftOut(directory, status)) {
      stop(root, pass);
      return false;
    }
    DirectoryNode node = watch(root, next, directory, status, pass);
    context.watches().ensure(node, open.fd()); // So that nothing comes between look and watch.
    if (!node.explicitNames.isEmpty()) {
      pass.scanDeep(node);
    }
    return true;
  }

  /**
   * Watches a directory for a name of a root, and no other one for that root.
   *
   * @param named the path with that name: of the root, or of a directory above it
   * @param directory the path of the directory
   * @return the directory, which the caller has scanned
   * @throws ErrnoException EEXIST if it cannot be told from another one
   */
  DirectoryNode watch(Root root, PosixPath named, PosixPath directory, FileStatus status, Pass pass)
      throws ErrnoException {
    DirectoryNode known = context.tree().byKey(InodeKey.of(status));
    boolean isWhole = known != null && !known.lost && !known.restricted;
    if (known != null) {
      context.opener().refuseTwin(known, directory, directory);
      if (known == root.namedIn && !named.equals(root.named)) {
        forget(root, known, pass); // Else another thread would miss the name for a moment.
      }
      known.restricted = !isWhole;
      add(known, named, root); // It may be moved, and loses what is not wanted then.
      if (known.restricted && !known.lost && context.opener().isPlainer(directory, known.path)) {
        // Not by the order of the roots; and below a root, no link is followed.
        pass.move(known, null, PosixPath.EMPTY, directory);
      }
    }
    DirectoryNode node = pass.nodeAt(directory, status);
    node.restricted = !isWhole;
    add(node, named, root);
    if (node != root.namedIn) {
      stop(root, pass);
    }
    root.namedIn = node;
    root.named = named;
    return node;
  }

  private void add(DirectoryNode node, PosixPath named, Root root) {
    PosixPath name = named.fileName();
    if (wanted(node, root, named).add(name) && named.equals(root.path)) {
      node.scannedInPass = 0; // A listing that passed the name over does not count.
    }
    namesByDirectory
        .computeIfAbsent(node, _ -> new Names(new HashMap<>(), new HashMap<>()))
        .of(root, named)
        .computeIfAbsent(name, _ -> new LinkedHashSet<>())
        .add(root);
  }

  private static Set<PosixPath> wanted(DirectoryNode node, Root root, PosixPath named) {
    return named.equals(root.path) ? node.explicitNames : node.awaitedNames;
  }

  /** Ends the watch of a directory for a name of this root. */
  void stop(Root root, Pass pass) {
    DirectoryNode node = root.namedIn;
    if (node == null) {
      return;
    }
    root.namedIn = null;
    forget(root, node, pass);
    if (!node.restricted) {
      return;
    }
    boolean isEmpty = node.explicitNames.isEmpty() && node.awaitedNames.isEmpty();
    if (isEmpty) {
      context.unobservable().resolved(node.path); // No source is in it any more.
    }
    if (!node.lost && (isEmpty || (isByPathOf(root, node) && !leadsTo(node.path, node)))) {
      pass.lose(node); // Other roots that still lead there do so by another path.
    }
  }

  private static boolean isByPathOf(Root root, DirectoryNode node) {
    return node.path.equals(Roots.withoutTrailingSlash(root.named.parent()));
  }

  /** Several roots may have one name in a directory: those below it, or by links or mounts. */
  private void forget(Root root, DirectoryNode node, Pass pass) {
    Names here = namesByDirectory.getOrDefault(node, Names.NONE);
    PosixPath name = root.named.fileName();
    Map<PosixPath, Set<Root>> rootsByName = here.of(root, root.named);
    Set<Root> roots = rootsByName.get(name);
    if (roots != null && roots.remove(root) && roots.isEmpty()) {
      rootsByName.remove(name);
      wanted(node, root, root.named).remove(name);
      pass.removeUnwanted(node, name); // All of the directory may be watched, but not this name.
    }
    if (here.ofRoots().isEmpty() && here.ofDirectoriesAbove().isEmpty()) {
      namesByDirectory.remove(node);
    }
  }
}
