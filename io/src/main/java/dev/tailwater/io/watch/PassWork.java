package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.InodeKey;
import dev.tailwater.io.watch.result.PassResults;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** What one pass has yet to look at, and what it has found so far. */
final class PassWork {
  /** Per directory and pass: a file server may forever contradict itself about its existence. */
  private static final int MAX_RETURNS = 8;

  /**
   * A directory to be listed.
   *
   * @param deep whether known directories below are scanned too
   */
  record Scan(DirectoryNode node, boolean deep) {}

  /** A directory that was not known under this name. */
  record Fresh(
      DirectoryNode parent, PosixPath name, InodeKey key, long ownerId, boolean throughLink) {}

  private final WatchTree tree;
  private final long number;
  private final Portion portion;
  private final PassResults results;

  /** The directories to be listed, by their roots, which take turns. */
  private final Map<DirectoryNode, Deque<Scan>> scans = new LinkedHashMap<>();

  private final Deque<Fresh> fresh = new ArrayDeque<>();
  private final Deque<Fresh> freshLinks = new ArrayDeque<>();

  /** The directories that are not where they were, and whether they are known to be deleted. */
  private final Map<DirectoryNode, Boolean> missing = new LinkedHashMap<>();

  private final Map<DirectoryNode, Integer> returns = new HashMap<>();

  PassWork(WatchContext context, long number, Portion portion) {
    this.tree = context.tree();
    this.number = number;
    this.portion = portion;
    this.results = new PassResults(tree, context::wantsFile, portion.maxUndecided());
  }

  long number() {
    return number;
  }

  Portion portion() {
    return portion;
  }

  PassResults results() {
    return results;
  }

  void scanDeep(DirectoryNode node) {
    scan(new Scan(node, true));
  }

  void scanAlone(DirectoryNode node) {
    scan(new Scan(node, false));
  }

  private void scan(Scan scan) {
    scans.computeIfAbsent(scan.node().root(), _ -> new ArrayDeque<>()).add(scan);
  }

  /** Queues a directory that is not known under this name. */
  void fresh(DirectoryNode parent, PosixPath name, FileStatus status, boolean throughLink) {
    (throughLink ? freshLinks : fresh)
        .add(new Fresh(parent, name, InodeKey.of(status), status.ownerId(), throughLink));
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
      tree.poll(node);
    }
  }

  /**
   * Takes the next directory to be listed from the queue.
   *
   * @param mustWait whether those below a root must wait
   */
  Optional<Scan> nextScan(Predicate<DirectoryNode> mustWait) {
    Optional<DirectoryNode> root = scans.keySet().stream().filter(mustWait.negate()).findFirst();
    Deque<Scan> queue = root.isPresent() ? scans.remove(root.get()) : null;
    if (root.isEmpty() || queue == null) {
      return Optional.empty();
    }
    Scan next = queue.removeFirst();
    if (!queue.isEmpty()) {
      scans.put(root.get(), queue); // Behind the others.
    }
    return Optional.of(next);
  }

  /** Returns the directories below a root that are to be listed. */
  List<DirectoryNode> queuedBelow(DirectoryNode root) {
    Deque<Scan> queue = scans.get(root);
    return queue == null ? List.of() : queue.stream().map(Scan::node).toList();
  }

  /** Returns the roots below which directories are to be listed. */
  Set<DirectoryNode> rootsToScan() {
    return Collections.unmodifiableSet(scans.keySet());
  }

  /** Returns whether there is a directory to be listed. */
  boolean hasScans() {
    return !scans.isEmpty();
  }

  /** Returns whether {@link #nextScan} has one. */
  boolean hasScanNow(Predicate<DirectoryNode> mustWait) {
    return !scans.keySet().stream().allMatch(mustWait);
  }

  /** Takes the next directory that was not known under its name from the queue. */
  Optional<Fresh> nextFresh() {
    // Links come last, so that a directory is known by its own name rather than by a link's.
    return Optional.ofNullable(fresh.isEmpty() ? freshLinks.poll() : fresh.poll());
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

  /** Records that it is known where a directory is, or that it is gone. */
  void settle(DirectoryNode node) {
    missing.remove(node);
  }

  /** Returns whether a directory is missing and known to be deleted. */
  boolean isDeleted(DirectoryNode node) {
    return missing.getOrDefault(node, false);
  }

  boolean anythingMissing() {
    return !missing.isEmpty() || results.anyGone();
  }

  /** Returns the directories that are still missing; a copy. */
  List<DirectoryNode> missing() {
    return List.copyOf(missing.keySet());
  }
}
