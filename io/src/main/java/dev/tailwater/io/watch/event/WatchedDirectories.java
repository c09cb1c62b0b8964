package dev.tailwater.io.watch.event;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The directories of one source, by what the kernel calls them in events.
 *
 * @param <K> the kernel's name for a directory: a watch descriptor, a file handle
 */
final class WatchedDirectories<K> {
  private final EventSource owner;
  private final Map<K, DirectoryNode> nodeByKey = new HashMap<>();
  private final Map<DirectoryNode, K> keyByNode = new HashMap<>();

  WatchedDirectories(EventSource owner) {
    this.owner = owner;
  }

  /**
   * Makes the owner the node's source; returns the node that had the key until now, if that is
   * another one.
   */
  @Nullable DirectoryNode put(K key, DirectoryNode node) {
    node.source = owner;
    K before = keyByNode.put(node, key);
    if (before != null && !before.equals(key)) {
      nodeByKey.remove(before);
    }
    DirectoryNode other = nodeByKey.put(key, node);
    if (other == null || other == node) {
      return null;
    }
    keyByNode.remove(other);
    disown(other);
    return other;
  }

  /** Null for a directory that is known no more; late events about it mean nothing. */
  @Nullable DirectoryNode node(K key) {
    return nodeByKey.get(key);
  }

  /** Returns the key that the node had. */
  @Nullable K remove(DirectoryNode node) {
    K key = keyByNode.remove(node);
    if (key != null) {
      nodeByKey.remove(key);
      disown(node);
    }
    return key;
  }

  /** Another source may have it by now. */
  private void disown(DirectoryNode node) {
    if (owner.equals(node.source)) {
      node.source = null;
    }
  }

  int count() {
    return nodeByKey.size();
  }
}
