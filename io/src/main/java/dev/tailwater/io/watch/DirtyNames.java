package dev.tailwater.io.watch;

import dev.tailwater.posix.PosixPath;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** What events have told to look at: names in directories, directories, roots, or everything. */
final class DirtyNames {
  /** Written: a change in any case. */
  static final int MODIFIED = 1;

  /** To be looked at. */
  static final int CHECK = 2;

  /** The name was unlinked. */
  static final int DELETED = 4;

  /** The name was an end of a rename. */
  static final int MOVED = 8;

  /** The name is, or was, a directory. */
  static final int DIRECTORY = 16;

  /** The name was made, by open(2), link(2) or the like. */
  static final int CREATED = 32;

  final Map<DirectoryNode, Map<PosixPath, Integer>> names = new LinkedHashMap<>();
  final Set<DirectoryNode> directories = new LinkedHashSet<>();
  boolean roots;
  boolean everything;

  /** Whether the name is told of for the first time. */
  boolean name(DirectoryNode node, PosixPath name, int flags) {
    Map<PosixPath, Integer> told = names.computeIfAbsent(node, key -> new LinkedHashMap<>());
    Integer before = told.put(name, flags);
    if (before == null) {
      return true;
    }
    if ((before | flags) != flags) {
      told.put(name, before | flags);
    }
    return false;
  }

  /** The directory itself may be elsewhere or gone. */
  void self(DirectoryNode node) {
    DirectoryNode parent = node.parent;
    if (parent == null) {
      roots = true;
    } else {
      name(parent, node.name, CHECK | DIRECTORY);
    }
  }

  boolean isEmpty() {
    return names.isEmpty() && directories.isEmpty() && !roots && !everything;
  }
}
