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
 * The known directories, by inode. An inode is in the tree once, whatever number of names leads to
 * it: the kernel too keeps one watch per inode, and links cannot make a loop.
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

  /** How many names there may be. */
  NameBudget names() {
    return names;
  }

  void add(DirectoryNode node) {
    byKey.put(node.key, node);
    names.came(node);
  }

  @Nullable DirectoryNode byKey(InodeKey key) {
    return byKey.get(key);
  }

  boolean contains(DirectoryNode node) {
    return byKey.get(node.key) == node;
  }

  /** Somebody tells what happens in it. */
  void watched(DirectoryNode node) {
    polled.remove(node);
  }

  void poll(DirectoryNode node) {
    polled.add(node);
  }

  void remove(DirectoryNode node) {
    if (byKey.remove(node.key, node)) {
      names.went(node);
    }
    polled.remove(node);
  }

  /** Directories without a watch; a copy. */
  List<DirectoryNode> polled() {
    return new ArrayList<>(polled);
  }

  /** The kernel does not tell of changes behind a link to a file. */
  void pollLink(FileEntry file) {
    linkedFiles.add(file);
  }

  /** Files behind links that are still known; a copy. */
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

  /** The file is in its directory now. */
  void came(FileEntry file) {
    fileCount++;
    names.came(file);
  }

  /** The file was taken out of its directory. */
  void went(FileEntry file) {
    fileCount--;
    names.went(file);
  }

  int fileCount() {
    return fileCount;
  }
}
