package dev.tailwater.io.watch;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.FileEntry;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One look at a part of the tree, from the first name to the list of changes. Events, polling,
 * overflow and the reconcile scan use the same code and differ only in where they look. The fate of
 * a missing name is decided at the end of the pass, since it may turn up elsewhere.
 */
final class Pass {
  private final WatchContext context;
  private final PassWork work;
  private final PassResults results;
  private final DirectoryScanner scanner;

  /**
   * @param number greater than that of every pass before; at least 1
   */
  Pass(WatchContext context, long number) {
    this.context = context;
    this.work = new PassWork(context.tree(), number);
    this.results = work.results();
    this.scanner = new DirectoryScanner(context, work);
  }

  void scanDeep(DirectoryNode node) {
    work.scanDeep(node);
  }

  void scanAlone(DirectoryNode node) {
    work.scanAlone(node);
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

  /** Records that a directory is not where it was, and not known to be deleted. */
  void lose(DirectoryNode node) {
    work.lose(node, false);
  }

  boolean anythingMissing() {
    return work.anythingMissing();
  }

  /** Does all queued work, including the work that it causes. */
  void run() throws ErrnoException {
    for (Optional<PassWork.Step> step = work.next(); step.isPresent(); step = work.next()) {
      switch (step.get()) {
        case PassWork.Scan scan -> scan(scan);
        case PassWork.Fresh fresh -> adopt(fresh);
      }
    }
  }

  private void scan(PassWork.Scan next) {
    DirectoryNode node = next.node();
    if (!isHere(node) || (next.deep() && node.scannedInPass == work.number())) {
      return;
    }
    if (next.deep()) {
      node.scannedInPass = work.number();
    }
    scanner.scan(node, next.deep());
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
        work.lose(child, false);
      }
    }
  }

  /** Ends the pass: names that are still missing are gone. */
  List<WatchChange> finish() throws ErrnoException {
    for (DirectoryNode node : work.missing()) {
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
    work.settle(node);
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
