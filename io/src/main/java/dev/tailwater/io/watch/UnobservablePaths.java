package dev.tailwater.io.watch;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The paths that cannot be looked at. Reports each when it begins, changes its reason, or ends. */
final class UnobservablePaths {
  /** Single names, of all directories; for the others, their directory is reported. */
  static final int MOST_NAMES = 1_000;

  private final Map<PosixPath, Integer> errnoByPath = new HashMap<>();

  /** Those of the paths that were reported as single names. */
  private final Set<PosixPath> names = new HashSet<>();

  private final List<WatchChange> changes = new ArrayList<>();

  void report(PosixPath path, ErrnoException why) {
    Integer before = errnoByPath.put(path, why.errnoNumber());
    if (before == null || before != why.errnoNumber()) {
      changes.add(new WatchChange.Unobservable(path, why));
    }
  }

  /**
   * Reports a single name, if there is room for it. Whoever makes names in a directory that the
   * agent may list but not search could use up all memory otherwise.
   */
  boolean reportName(PosixPath path, ErrnoException why) {
    if (names.size() >= MOST_NAMES && !names.contains(path)) {
      return false;
    }
    names.add(path);
    report(path, why);
    return true;
  }

  /** Records that the directory is no longer at this path, and so none of its names. */
  void directoryGone(PosixPath directory) {
    resolved(directory);
    namesGone(directory);
  }

  /** Records that no name is below this path any longer. */
  void namesGone(PosixPath directory) {
    names.stream().filter(path -> path.startsWith(directory)).toList().forEach(this::resolved);
  }

  /** Records that the path could be looked at, or is really gone. */
  void resolved(PosixPath path) {
    if (!errnoByPath.isEmpty() && errnoByPath.remove(path) != null) {
      names.remove(path);
      changes.add(new WatchChange.Observable(path));
    }
  }

  /** Returns whether there is any, so that a caller need not build the path. */
  boolean any() {
    return !errnoByPath.isEmpty();
  }

  /** Returns the changes since the last call. */
  List<WatchChange> take() {
    if (changes.isEmpty()) {
      return List.of();
    }
    List<WatchChange> taken = List.copyOf(changes);
    changes.clear();
    return taken;
  }
}
