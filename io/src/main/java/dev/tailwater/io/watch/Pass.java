package dev.tailwater.io.watch;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.FileEntry;
import dev.tailwater.io.watch.event.InodeKey;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One look at a part of the tree, from the first name to the list of changes. Events, polling,
 * overflow and the reconcile scan use the same code and differ only in where they look. The fate of
 * a missing name is decided at the end of the pass, since it may turn up elsewhere.
 */
final class Pass {
  /** Per directory and pass: a file server may forever contradict itself about its existence. */
  private static final int MAX_RETURNS = 8;

  private record Scan(DirectoryNode node, boolean deep) {}

  private record Fresh(DirectoryNode parent, PosixPath name, InodeKey key, boolean throughLink) {}

  private final WatchContext context;
  private final long number;
  private final PassResults results;
  private final DirectoryScanner scanner;
  private final Deque<Scan> scans = new ArrayDeque<>();
  private final Deque<Fresh> fresh = new ArrayDeque<>();
  private final Deque<Fresh> freshLinks = new ArrayDeque<>();
  private final Map<DirectoryNode, Boolean> missing = new LinkedHashMap<>();
  private final Map<DirectoryNode, Integer> returns = new HashMap<>();

  /**
   * @param number greater than that of every pass before; at least 1
   */
  Pass(WatchContext context, long number) {
    this.context = context;
    this.number = number;
    this.results = new PassResults(context.tree());
    this.scanner = new DirectoryScanner(context, this);
  }

  long number() {
    return number;
  }

  PassResults results() {
    return results;
  }

  void scanDeep(DirectoryNode node) {
    scans.add(new Scan(node, true));
  }

  void scanAlone(DirectoryNode node) {
    scans.add(new Scan(node, false));
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

  /** Queues a directory that is not known under this name. */
  void fresh(DirectoryNode parent, PosixPath name, InodeKey key, boolean throughLink) {
    (throughLink ? freshLinks : fresh).add(new Fresh(parent, name, key, throughLink));
  }

  /**
   * Records that a directory is not where it was.
   *
   * @param deleted whether it is known to be deleted rather than moved
   */
  void lose(DirectoryNode node, boolean deleted) {
    if (node.lost) {
      return;
    }
    if (node.parent != null) {
      node.parent.directories.remove(node.name, node);
    }
    node.lost = true;
    missing.put(node, deleted);
  }

  /**
   * Scans a directory again that was absent for a moment, since no further event will report what
   * was to be looked at in it.
   */
  void rescan(DirectoryNode node) {
    if (returns.merge(node, 1, Integer::sum) <= MAX_RETURNS) {
      node.scannedInPass = 0;
      scanDeep(node);
    } else if (node.source == null) {
      context.tree().poll(node);
    }
  }

  boolean anythingMissing() {
    return !missing.isEmpty() || results.anyGone();
  }

  /** Does all queued work, including the work that it causes. */
  void run() throws ErrnoException {
    while (true) {
      if (!scans.isEmpty()) {
        scan(scans.poll());
      } else if (!fresh.isEmpty()) {
        adopt(fresh.poll());
      } else if (!freshLinks.isEmpty()) {
        // Last, so that a directory is known by its own name rather than by a link's.
        adopt(freshLinks.poll());
      } else {
        return;
      }
    }
  }

  private void scan(Scan next) {
    DirectoryNode node = next.node();
    if (!isHere(node) || (next.deep() && node.scannedInPass == number)) {
      return;
    }
    if (next.deep()) {
      node.scannedInPass = number;
    }
    scanner.scan(node, next.deep());
  }

  private boolean isHere(DirectoryNode node) {
    return !node.lost && context.tree().contains(node);
  }

  private void adopt(Fresh found) throws ErrnoException {
    DirectoryNode parent = found.parent();
    if (!isHere(parent) || parent.directories.containsKey(found.name())) {
      return;
    }
    DirectoryNode known = context.tree().byKey(found.key());
    if (known != null && missing.getOrDefault(known, false)) {
      drop(known);
      known = null;
    }
    if (known == null) {
      if (!context.tree().names().hasRoomForDirectory(parent, found.name())) {
        context.tree().names().leftOutSome(parent);
        return;
      }
      PosixPath path = parent.path.resolve(found.name());
      DirectoryNode node =
          new DirectoryNode(found.key(), parent, found.name(), path, found.throughLink());
      parent.directories.put(found.name(), node);
      context.tree().add(node);
      scanDeep(node);
    } else if (!parent.isBelow(known) && (known.lost || outdated(known, found))) {
      known.throughLink = found.throughLink();
      move(known, parent, found.name(), parent.path.resolve(found.name()));
    }
  }

  /** Returns whether a known directory is to move to the place where it was just found. */
  private boolean outdated(DirectoryNode known, Fresh found) {
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

  /** Moves a known directory, with its watch and everything below it, to another place. */
  void move(DirectoryNode node, @Nullable DirectoryNode parent, PosixPath name, PosixPath path) {
    context.tree().names().beforeMove(node);
    if (node.parent != null) {
      node.parent.directories.remove(node.name, node);
    }
    node.lost = false;
    missing.remove(node);
    node.parent = parent;
    node.name = name;
    if (parent != null) {
      parent.directories.put(name, node);
    }
    context.tree().names().afterMove(node);
    renamed(node, path);
    scanDeep(node);
  }

  private void renamed(DirectoryNode node, PosixPath path) {
    context.unobservable().resolved(node.path);
    node.path = path;
    node.scannedInPass = 0;
    for (FileEntry file : List.copyOf(node.files.values())) {
      if (context.wantsFile(node, file.name)) {
        results.moved(file);
      } else {
        node.files.remove(file.name);
        context.tree().fileRemoved(file);
        results.gone(file, true);
      }
    }
    for (DirectoryNode child : List.copyOf(node.directories.values())) {
      if (context.wantsDirectory(node, child.name)) {
        renamed(child, path.resolve(child.name));
      } else {
        lose(child, false);
      }
    }
  }

  /** Ends the pass: names that are still missing are gone. */
  List<WatchChange> finish() throws ErrnoException {
    for (DirectoryNode node : List.copyOf(missing.keySet())) {
      drop(node);
    }
    context.tree().names().settlePending();
    List<WatchChange> changes = new ArrayList<>(context.unobservable().take());
    changes.addAll(results.finish());
    changes.addAll(context.watches().take());
    changes.addAll(context.tree().names().take());
    return changes;
  }

  private void drop(DirectoryNode node) throws ErrnoException {
    missing.remove(node);
    node.lost = true;
    for (DirectoryNode child : List.copyOf(node.directories.values())) {
      drop(child);
    }
    for (FileEntry file : node.files.values()) {
      context.tree().fileRemoved(file);
      results.gone(file, false);
    }
    node.files.clear();
    node.directories.clear();
    if (node.parent != null) {
      context
          .unobservable()
          .resolved(node.path); // That of a root is over when the root is found or absent.
    }
    context.watches().release(node);
  }
}
