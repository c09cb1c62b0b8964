package dev.tailwater.io.watch.early;

import dev.tailwater.posix.PosixPath;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Where the roots are: which paths are below one, and which lead to one. Immutable. */
public final class RootPaths {
  private final Set<PosixPath> roots;

  /** The names of roots in each directory above one, by its path. */
  private final Map<PosixPath, Set<PosixPath>> rootNames = new HashMap<>();

  /**
   * Creates the paths of some roots.
   *
   * @param roots absolute, without slashes at the end
   */
  public RootPaths(List<PosixPath> roots) {
    this.roots = new HashSet<>(roots);
    for (PosixPath root : roots) {
      if (root.lengthBytes() > 1) {
        namesIn(root.parent()).add(root.fileName());
      }
      for (PosixPath above = root; above.lengthBytes() > 1; above = above.parent()) {
        namesIn(above.parent());
      }
    }
  }

  private Set<PosixPath> namesIn(PosixPath directory) {
    return rootNames.computeIfAbsent(directory, _ -> new HashSet<>());
  }

  /** Returns whether a path is that of a root. */
  boolean isRoot(PosixPath path) {
    return roots.contains(path);
  }

  /** Returns the root that a path is below, or is: the topmost one of several. */
  Optional<PosixPath> rootAbove(PosixPath path) {
    Optional<PosixPath> topmost = Optional.empty();
    for (PosixPath at = path; ; at = at.parent()) {
      if (roots.contains(at)) {
        topmost = Optional.of(at);
      }
      if (at.lengthBytes() <= 1) {
        return topmost;
      }
    }
  }

  /** Returns the names of the roots in a directory; empty if it is above none. */
  Optional<Set<PosixPath>> rootNamesIn(PosixPath directory) {
    return Optional.ofNullable(rootNames.get(directory));
  }
}
