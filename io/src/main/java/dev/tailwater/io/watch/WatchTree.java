package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.FileEntry;
import dev.tailwater.io.watch.event.InodeKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The known directories, by inode. An inode is in the tree only once, however many names it has:
 * the kernel also keeps one watch per inode, and links cannot make a loop.
 */
final class WatchTree {
  private final Map<InodeKey, DirectoryNode> byKey = new HashMap<>();
  private final Set<DirectoryNode> polled = new LinkedHashSet<>();

  private final Set<FileEntry> linkedFiles = new LinkedHashSet<>();
  private final NameBudget names;
  private int fileCount;

  WatchTree(NameBudget names) {
    this.names = names;
  }

  /** Returns the budget of names. */
  NameBudget names() {
    return names;
  }

  void add(DirectoryNode node) {
    byKey.put(node.key, node);
    names.added(node);
  }

  @Nullable DirectoryNode byKey(InodeKey key) {
    return byKey.get(key);
  }

  boolean contains(DirectoryNode node) {
    return byKey.get(node.key) == node;
  }

  /** Records that a source reports the changes of the directory. */
  void watched(DirectoryNode node) {
    polled.remove(node);
  }

  void poll(DirectoryNode node) {
    polled.add(node);
  }

  void remove(DirectoryNode node) {
    if (byKey.remove(node.key, node)) {
      names.removed(node);
    }
    polled.remove(node);
  }

  /** Returns a copy of the directories without a watch. */
  List<DirectoryNode> polled() {
    return new ArrayList<>(polled);
  }

  /** Polls a link to a file, since the kernel does not report changes of its target. */
  void pollLink(FileEntry file) {
    linkedFiles.add(file);
  }

  /** Returns a copy of the known links to files. */
  List<FileEntry> linkedFiles() {
    linkedFiles.removeIf(file -> file.parent.lost || file.parent.files.get(file.name) != file);
    return new ArrayList<>(linkedFiles);
  }

  boolean anythingToPoll() {
    return !polled.isEmpty() || !linkedFiles.isEmpty();
  }

  int polledCount() {
    return polled.size();
  }

  int directoryCount() {
    return byKey.size();
  }

  /** Counts a file that was added to its directory. */
  void fileAdded(FileEntry file) {
    fileCount++;
    names.added(file);
  }

  /** Stops counting a file that was removed from its directory. */
  void fileRemoved(FileEntry file) {
    fileCount--;
    names.removed(file);
  }

  int fileCount() {
    return fileCount;
  }
}
