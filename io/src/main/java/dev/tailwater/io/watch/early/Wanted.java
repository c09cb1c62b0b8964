package dev.tailwater.io.watch.early;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which files and directories count, by absolute path, and which directories do not, whatever their
 * path; asked by two threads.
 */
public record Wanted(
    RootPaths roots,
    Predicate<PosixPath> files,
    Predicate<PosixPath> directories,
    Optional<Predicate<FileStatus>> leftOut) {

  /** Returns whether a file counts. */
  boolean isWanted(EarlyDirectory directory, PosixPath path) {
    return directory.only().isPresent()
        ? directory.only().get().test(path.fileName())
        : files.test(path);
  }

  /** Returns how a new directory is told of; empty if it neither counts nor leads to a root. */
  Optional<EarlyDirectory> directory(PosixPath path) {
    Optional<PosixPath> root =
        roots.rootAbove(path).filter(_ -> roots.isRoot(path) || directories.test(path));
    if (root.isPresent()) {
      return Optional.of(new EarlyDirectory(root.get(), path, Optional.empty(), false, false));
    }
    return roots
        .rootNamesIn(path)
        .map(
            names ->
                new EarlyDirectory(
                    path, path, Optional.of(names::contains), names.isEmpty(), false));
  }
}
