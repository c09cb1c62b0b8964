package dev.tailwater.restore.place;

import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchivedTree;
import dev.tailwater.restore.place.TargetPath.UnsafePathException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The names below the target directory that directories, symbolic links and further names of files
 * have in trees. They are what was there last, so a file that was there before them gives way.
 */
final class TreeNames {
  private final Set<PosixPath> directories = new HashSet<>();
  private final Set<PosixPath> others = new HashSet<>();
  private final boolean agentDirectories;

  /**
   * Collects the names of trees.
   *
   * @param agentDirectories whether each agent's files are below a directory of its name
   */
  TreeNames(List<ArchivedTree> trees, boolean agentDirectories) {
    this.agentDirectories = agentDirectories;
    for (ArchivedTree tree : trees) {
      for (var told : tree.directories().entrySet()) {
        PosixPath path = told.getKey();
        add(tree, path, directories);
        for (DirectoryStatement.Link link : told.getValue().links()) {
          add(tree, path.resolve(link.name()), others);
        }
        for (DirectoryStatement.FurtherName further : told.getValue().furtherNames()) {
          add(tree, path.resolve(further.name()), others);
        }
      }
    }
  }

  private void add(ArchivedTree tree, PosixPath path, Set<PosixPath> names) {
    try {
      TargetPath place = TargetPath.of(path);
      names.add((agentDirectories ? place.below(PosixPath.of(tree.agent())) : place).relative());
    } catch (UnsafePathException e) {
      // It is the root directory, or will be refused when it is made.
    }
  }

  /** Whether a file cannot have this name: something that is there has it. */
  boolean has(PosixPath relative) {
    return isNoDirectory(relative) || directories.contains(relative);
  }

  /** Whether a directory cannot have this name: a link or a file has it. */
  boolean isNoDirectory(PosixPath relative) {
    return others.contains(relative);
  }
}
