package dev.tailwater.io.watch.event;

import dev.tailwater.posix.PosixPath;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** What must be looked at because of events: names, directories, roots, or everything. */
public final class DirtyNames {
  /** The file was written, which is a change in any case. */
  public static final int MODIFIED = 1;

  /** The name must be looked at. */
  public static final int CHECK = 2;

  /** The name was unlinked. */
  public static final int DELETED = 4;

  /** The name was an end of a rename. */
  public static final int MOVED = 8;

  /** The name is, or was, a directory. */
  public static final int DIRECTORY = 16;

  /** The name was created, by open(2), link(2) or the like. */
  public static final int CREATED = 32;

  /** The file was closed by a program that could write to it. */
  public static final int CLOSED = 64;

  /** The file was written to and then closed, and its name is what it was. */
  public static final int WRITTEN = MODIFIED | CHECK | CLOSED;

  /** With more names, a scan of everything costs less. */
  private static final long MAX_BYTES = 4 << 20;

  private static final int BYTES_EACH_NAME = 120;

  public final Map<DirectoryNode, Map<PosixPath, Integer>> names = new LinkedHashMap<>();
  public final Set<DirectoryNode> directories = new LinkedHashSet<>();

  /** Directories that are gone, or not watched any more. */
  public final Set<DirectoryNode> gone = new LinkedHashSet<>();

  /** Directories that may have moved, and may be back. */
  public final Set<DirectoryNode> moved = new LinkedHashSet<>();

  /** Whether a directory has moved that a root is or is in, and with it perhaps others. */
  public boolean roots;

  public boolean everything;

  /** The memory that the names take. */
  private long bytes;

  /** Adds flags to a name; returns whether the name is new. */
  boolean name(DirectoryNode node, PosixPath name, int flags) {
    Map<PosixPath, Integer> told = names.computeIfAbsent(node, key -> new LinkedHashMap<>());
    Integer before = told.put(name, flags);
    if (before == null) {
      bytes += BYTES_EACH_NAME + name.lengthBytes();
      return true;
    }
    if ((before | flags) != flags) {
      told.put(name, before | flags);
    }
    return false;
  }

  /** Returns whether a scan of everything costs less than looking at all these names. */
  boolean isTooMany() {
    return bytes > MAX_BYTES;
  }

  /**
   * Records that the directory itself is gone, or has moved.
   *
   * @param hasMoved whether it may have moved, with what is in it
   */
  void self(DirectoryNode node, boolean hasMoved) {
    DirectoryNode parent = node.parent;
    if (parent != null) {
      name(parent, node.name, CHECK | DIRECTORY);
    }
    if (hasMoved) {
      roots |= parent == null;
      moved.add(node);
    }
    gone.add(node);
  }

  boolean isEmpty() {
    return names.isEmpty() && directories.isEmpty() && gone.isEmpty() && !roots && !everything;
  }
}
