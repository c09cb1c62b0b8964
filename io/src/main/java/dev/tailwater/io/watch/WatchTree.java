package dev.tailwater.io.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The known directories, by inode and by watch. An inode is in the tree once, whatever number of
 * names leads to it: the kernel too keeps one watch per inode, and links cannot make a loop.
 */
final class WatchTree {
  private final Map<InodeKey, DirectoryNode> byKey = new HashMap<>();
  private final Map<Integer, DirectoryNode> byWatch = new HashMap<>();
  private final Set<DirectoryNode> polled = new LinkedHashSet<>();

  private final Set<FileEntry> linkedFiles = new LinkedHashSet<>();

  void add(DirectoryNode node) {
    byKey.put(node.key, node);
  }

  @Nullable DirectoryNode byKey(InodeKey key) {
    return byKey.get(key);
  }

  /** Null for the watch of a directory that is known no more; its late events mean nothing. */
  @Nullable DirectoryNode byWatch(int watchDescriptor) {
    return byWatch.get(watchDescriptor);
  }

  boolean contains(DirectoryNode node) {
    return byKey.get(node.key) == node;
  }

  void watch(DirectoryNode node, int watchDescriptor) {
    node.watchDescriptor = watchDescriptor;
    byWatch.put(watchDescriptor, node);
    polled.remove(node);
  }

  /** The kernel has dropped the watch. */
  void unwatch(DirectoryNode node) {
    byWatch.remove(node.watchDescriptor, node);
    node.watchDescriptor = DirectoryNode.NO_WATCH;
  }

  void poll(DirectoryNode node) {
    polled.add(node);
  }

  void remove(DirectoryNode node) {
    byKey.remove(node.key, node);
    byWatch.remove(node.watchDescriptor, node);
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

  int fileCount() {
    int count = 0;
    for (DirectoryNode node : byKey.values()) {
      count += node.files.size();
    }
    return count;
  }
}
