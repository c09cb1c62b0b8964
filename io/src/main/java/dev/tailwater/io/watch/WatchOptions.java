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
 * @param minTickMillis how long events are collected before they are read, when little happens: the
 *     latency of a lone change
 * @param maxTickMillis how long that may get when much happens, so that ten writes cost what one
 *     costs: the latency that is never exceeded, but by the time that looking itself takes. Where
 *     most files are written more than three times within it, they are polled with that period.
 *     With the same as {@code minTickMillis} the tick is fixed and nothing is polled for that
 *     reason
 * @param notification who is asked to tell
 * @param names how much memory names may take
 */
public record WatchOptions(
    Predicate<PosixPath> wanted,
    Predicate<PosixPath> descend,
    boolean followSymlinks,
    long reconcileMillis,
    long pollMillis,
    long minTickMillis,
    long maxTickMillis,
    NotificationMethod notification,
    NameBound names) {

  public WatchOptions {
    if (reconcileMillis <= 0
        || pollMillis <= 0
        || minTickMillis < 0
        || maxTickMillis < minTickMillis) {
      throw new IllegalArgumentException(
          "watch periods must be positive: reconcile %d ms, poll %d ms, tick %d to %d ms"
              .formatted(reconcileMillis, pollMillis, minTickMillis, maxTickMillis));
    }
  }

  /** All files, all directories, no links; 60 s, 1 s, and a tick of 2 to 250 ms. */
  public static WatchOptions defaults() {
    return new WatchOptions(
        path -> true,
        path -> true,
        false,
        60_000,
        1_000,
        2,
        250,
        NotificationMethod.AUTOMATIC,
        NameBound.NONE);
  }

  public WatchOptions withWanted(Predicate<PosixPath> files) {
    return new WatchOptions(
        files,
        descend,
        followSymlinks,
        reconcileMillis,
        pollMillis,
        minTickMillis,
        maxTickMillis,
        notification,
        names);
  }

  public WatchOptions withDescend(Predicate<PosixPath> directories) {
    return new WatchOptions(
        wanted,
        directories,
        followSymlinks,
        reconcileMillis,
        pollMillis,
        minTickMillis,
        maxTickMillis,
        notification,
        names);
  }

  public WatchOptions withFollowSymlinks(boolean follow) {
    return new WatchOptions(
        wanted,
        descend,
        follow,
        reconcileMillis,
        pollMillis,
        minTickMillis,
        maxTickMillis,
        notification,
        names);
  }

  public WatchOptions withReconcileMillis(long millis) {
    return new WatchOptions(
        wanted,
        descend,
        followSymlinks,
        millis,
        pollMillis,
        minTickMillis,
        maxTickMillis,
        notification,
        names);
  }

  public WatchOptions withPollMillis(long millis) {
    return new WatchOptions(
        wanted,
        descend,
        followSymlinks,
        reconcileMillis,
        millis,
        minTickMillis,
        maxTickMillis,
        notification,
        names);
  }

  /** A fixed tick. */
  public WatchOptions withTickMillis(long millis) {
    return new WatchOptions(
        wanted,
        descend,
        followSymlinks,
        reconcileMillis,
        pollMillis,
        millis,
        millis,
        notification,
        names);
  }

  /** An adaptive tick. */
  public WatchOptions withTickMillis(long min, long max) {
    return new WatchOptions(
        wanted,
        descend,
        followSymlinks,
        reconcileMillis,
        pollMillis,
        min,
        max,
        notification,
        names);
  }

  public WatchOptions withNotification(NotificationMethod method) {
    return new WatchOptions(
        wanted,
        descend,
        followSymlinks,
        reconcileMillis,
        pollMillis,
        minTickMillis,
        maxTickMillis,
        method,
        names);
  }

  public WatchOptions withNames(NameBound bound) {
    return new WatchOptions(
        wanted,
        descend,
        followSymlinks,
        reconcileMillis,
        pollMillis,
        minTickMillis,
        maxTickMillis,
        notification,
        bound);
  }
}
