package dev.tailwater.io.watch.result;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.name.KnownFile;
import dev.tailwater.posix.PosixPath;

/** The known files, to which the end of a pass adds those that it found. */
public interface FileTree {
  /** Adds a file to its directory that was known in another place, or under another name. */
  void addFile(DirectoryNode node, PosixPath name, KnownFile file);

  /**
   * Adds a file that is new, if there is room for its name; else counts it as left out.
   *
   * @return whether it was added
   */
  boolean addNewFile(DirectoryNode node, PosixPath name, KnownFile file);
}
