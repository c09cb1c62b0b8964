package dev.tailwater.io.watch.early;

import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.Set;

/**
 * A directory whose new names are told early.
 *
 * @param root the root that it is below
 * @param only the only names that count; empty for all, and then directories below count too
 * @param claimed whether the directory is known to the watch; otherwise it is so new that only an
 *     event has told of it
 */
record EarlyDirectory(
    PosixPath root, PosixPath path, Optional<Set<PosixPath>> only, boolean claimed) {
  EarlyDirectory {
    only = only.map(Set::copyOf);
  }

  /** Returns whether no file counts, and only directories are awaited in it. */
  boolean isOnlyAwaitedIn() {
    return only.filter(Set::isEmpty).isPresent();
  }
}
