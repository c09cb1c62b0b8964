package dev.tailwater.io.watch.early;

import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A directory whose new names are told early.
 *
 * @param root the root that it is below
 * @param only accepts the only names that count, which may become others at any time; empty for
 *     all, and then directories below count too
 * @param isOnlyAwaitedIn whether no file counts, and only directories are awaited in it
 * @param claimed whether the directory is known to the watch; otherwise it is so new that only an
 *     event has told of it
 */
record EarlyDirectory(
    PosixPath root,
    PosixPath path,
    Optional<Predicate<PosixPath>> only,
    boolean isOnlyAwaitedIn,
    boolean claimed) {}
