package dev.tailwater.io.watch;

import dev.tailwater.posix.PosixPath;
import java.util.function.Predicate;

/**
 * What to watch and how often to look.
 *
 * @param wanted which files, by absolute path; asked when a name is first seen and again when it
 *     changes. A root that is itself a file is always wanted
 * @param descend into which directories below the roots, by absolute path
 * @param followSymlinks whether links to files and directories are followed. A directory that can
 *     be reached by several names is reported under one of them; what lies behind a link to a file
 *     is polled
 * @param reconcileMillis time between two looks at everything, which find what notification missed
 * @param pollMillis time between two looks at directories that cannot be notified about, and at
 *     roots that do not exist; longer when a look takes more than a twentieth of it
 * @param tickMillis how long events are collected before they are read; the latency of a change
 */
public record WatchOptions(
    Predicate<PosixPath> wanted,
    Predicate<PosixPath> descend,
    boolean followSymlinks,
    long reconcileMillis,
    long pollMillis,
    long tickMillis) {

  public WatchOptions {
    if (reconcileMillis <= 0 || pollMillis <= 0 || tickMillis < 0) {
      throw new IllegalArgumentException(
          "watch periods must be positive: reconcile %d ms, poll %d ms, tick %d ms"
              .formatted(reconcileMillis, pollMillis, tickMillis));
    }
  }

  /** All files, all directories, no links; 60 s, 1 s and 25 ms. */
  public static WatchOptions defaults() {
    return new WatchOptions(path -> true, path -> true, false, 60_000, 1_000, 25);
  }

  public WatchOptions withWanted(Predicate<PosixPath> files) {
    return new WatchOptions(
        files, descend, followSymlinks, reconcileMillis, pollMillis, tickMillis);
  }

  public WatchOptions withDescend(Predicate<PosixPath> directories) {
    return new WatchOptions(
        wanted, directories, followSymlinks, reconcileMillis, pollMillis, tickMillis);
  }

  public WatchOptions withFollowSymlinks(boolean follow) {
    return new WatchOptions(wanted, descend, follow, reconcileMillis, pollMillis, tickMillis);
  }

  public WatchOptions withReconcileMillis(long millis) {
    return new WatchOptions(wanted, descend, followSymlinks, millis, pollMillis, tickMillis);
  }

  public WatchOptions withPollMillis(long millis) {
    return new WatchOptions(wanted, descend, followSymlinks, reconcileMillis, millis, tickMillis);
  }

  public WatchOptions withTickMillis(long millis) {
    return new WatchOptions(wanted, descend, followSymlinks, reconcileMillis, pollMillis, millis);
  }
}
