package dev.tailwater.io.watch.result;

import dev.tailwater.posix.PosixPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The paths that files have left, and what is reported of them. A path is kept if another file has
 * it by now and was reported there before: a root that moved with a directory above it may be found
 * gone, or elsewhere, after what has taken its place was found.
 *
 * @param renamed in the order in which they are reported, after those that disappeared
 */
record LeftPaths(Set<PosixPath> disappeared, List<RenameOrder.Rename> renamed) {
  /**
   * Reports what has left its path.
   *
   * @param appeared paths that are reported next, as those of files that are new there
   * @param isReported whether a file was reported at a path and is known there
   */
  void report(Set<PosixPath> appeared, Predicate<PosixPath> isReported, FileChanges changes) {
    Set<PosixPath> kept = kept(appeared, isReported);
    for (PosixPath path : disappeared) {
      if (!kept.contains(path)) {
        changes.disappeared(path);
      }
    }
    for (RenameOrder.Rename rename : renamed) {
      if (kept.contains(rename.from())) {
        changes.appeared(rename.to());
      } else {
        changes.renamed(rename.from(), rename.to());
      }
    }
  }

  private Set<PosixPath> kept(Set<PosixPath> appeared, Predicate<PosixPath> isReported) {
    Set<PosixPath> kept = new HashSet<>(0);
    Set<PosixPath> renamedLater = new HashSet<>(0);
    Predicate<PosixPath> isKept =
        path -> !appeared.contains(path) && !renamedLater.contains(path) && isReported.test(path);
    for (RenameOrder.Rename rename : renamed.reversed()) {
      if (isKept.test(rename.from())) {
        kept.add(rename.from());
      }
      renamedLater.add(rename.to());
    }
    disappeared.stream().filter(isKept).forEach(kept::add);
    return kept;
  }
}
