package dev.tailwater.io.watch;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The options of a {@link DirectoryWatch}: what to watch and how often to look.
 *
 * @param wanted accepts files by absolute path; evaluated when a name is first seen and again when
 *     it changes. A root that is itself a file is always wanted
 * @param descend accepts directories below the roots by absolute path
 * @param leftOut accepts directories that are left out, with all below them, whatever their path,
 *     such as one that a bind mount shows at another place. Asked of each directory whenever it is
 *     looked at, by two threads; empty for none
 * @param followSymlinks whether links to files and directories are followed. A directory with
 *     several names is reported under one of them; the target of a link to a file is polled
 * @param reconcileMillis time between two scans of everything, which find what notification missed
 * @param pollMillis time between two looks at directories without notification and at roots that do
 *     not exist; longer if a look takes more than a twentieth of it
 * @param minTickMillis how long events are collected before they are read, under low load: the
 *     latency of a single change
 * @param maxTickMillis the same under high load, where ten writes to a file in one tick cost as
 *     much as one: the upper bound of the latency, except for the time that a look takes.
 *     Directories in which most files are written more than three times within this time are polled
 *     with this period. If equal to {@code minTickMillis}, the tick is fixed and no directory is
 *     polled for this reason
 * @param notification the source of events
 * @param names how much memory names may take
 * @param portionNames about how many names are looked at before {@link DirectoryWatch#poll} returns
 *     what was found until then, and reads new events, so that a long directory delays nothing
 *     else. When more than four times as many files move or go at once, those that moved may be
 *     reported as gone and new
 * @param backlog what the caller has not dealt with yet of the names that it was told of
 */
public record WatchOptions(
    Predicate<PosixPath> wanted,
    Predicate<PosixPath> descend,
    Optional<Predicate<FileStatus>> leftOut,
    boolean followSymlinks,
    long reconcileMillis,
    long pollMillis,
    long minTickMillis,
    long maxTickMillis,
    NotificationMethod notification,
    NameBound names,
    int portionNames,
    Backlog backlog) {
  private static final int DEFAULT_PORTION_NAMES = 4_096;
  private static final int MAX_PORTION_NAMES = 1 << 24;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException unless the periods are positive, the tick is 0 or more and not
   *     longer at least than at most, and a portion has 1 to 16,777,216 names
   */
  public WatchOptions {
    if (reconcileMillis <= 0
        || pollMillis <= 0
        || minTickMillis < 0
        || maxTickMillis < minTickMillis
        || portionNames < 1
        || portionNames > MAX_PORTION_NAMES) {
      throw new IllegalArgumentException(
          ("watch periods must be positive: reconcile %d ms, poll %d ms, tick %d to %d ms;"
                  + " a portion is %d names")
              .formatted(reconcileMillis, pollMillis, minTickMillis, maxTickMillis, portionNames));
    }
  }

  /** All files, all directories, no links; 60 s, 1 s, and a tick of 2 to 250 ms. */
  public static WatchOptions defaults() {
    return new WatchOptions(
        path -> true,
        path -> true,
        Optional.empty(),
        false,
        60_000,
        1_000,
        2,
        250,
        NotificationMethod.AUTOMATIC,
        NameBound.NONE,
        DEFAULT_PORTION_NAMES,
        Backlog.NONE);
  }

  /** Returns these options with another {@link #wanted}. */
  public WatchOptions withWanted(Predicate<PosixPath> files) {
    return with(draft -> draft.wanted = files);
  }

  /** Returns these options with another {@link #descend}. */
  public WatchOptions withDescend(Predicate<PosixPath> directories) {
    return with(draft -> draft.descend = directories);
  }

  /** Returns these options with another {@link #leftOut}. */
  public WatchOptions withLeftOut(Predicate<FileStatus> directories) {
    return with(draft -> draft.leftOut = Optional.of(directories));
  }

  /** Returns these options with another {@link #followSymlinks}. */
  public WatchOptions withFollowSymlinks(boolean follow) {
    return with(draft -> draft.followSymlinks = follow);
  }

  /** Returns these options with another {@link #reconcileMillis}. */
  public WatchOptions withReconcileMillis(long millis) {
    return with(draft -> draft.reconcileMillis = millis);
  }

  /** Returns these options with another {@link #pollMillis}. */
  public WatchOptions withPollMillis(long millis) {
    return with(draft -> draft.pollMillis = millis);
  }

  /** A fixed tick. */
  public WatchOptions withTickMillis(long millis) {
    return withTickMillis(millis, millis);
  }

  /** An adaptive tick. */
  public WatchOptions withTickMillis(long min, long max) {
    return with(
        draft -> {
          draft.minTickMillis = min;
          draft.maxTickMillis = max;
        });
  }

  /** Returns these options with another {@link #notification}. */
  public WatchOptions withNotification(NotificationMethod method) {
    return with(draft -> draft.notification = method);
  }

  /** Returns these options with another {@link #names}. */
  public WatchOptions withNames(NameBound bound) {
    return with(draft -> draft.names = bound);
  }

  /** Returns these options with another {@link #portionNames}. */
  public WatchOptions withPortionNames(int count) {
    return with(draft -> draft.portionNames = count);
  }

  /** Returns these options with another {@link #backlog}. */
  public WatchOptions withBacklog(Backlog ofCaller) {
    return with(draft -> draft.backlog = ofCaller);
  }

  private WatchOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** A mutable copy of options. */
  private static final class Draft {
    private Predicate<PosixPath> wanted;
    private Predicate<PosixPath> descend;
    private Optional<Predicate<FileStatus>> leftOut;
    private boolean followSymlinks;
    private long reconcileMillis;
    private long pollMillis;
    private long minTickMillis;
    private long maxTickMillis;
    private NotificationMethod notification;
    private NameBound names;
    private int portionNames;
    private Backlog backlog;

    Draft(WatchOptions from) {
      wanted = from.wanted;
      descend = from.descend;
      leftOut = from.leftOut;
      followSymlinks = from.followSymlinks;
      reconcileMillis = from.reconcileMillis;
      pollMillis = from.pollMillis;
      minTickMillis = from.minTickMillis;
      maxTickMillis = from.maxTickMillis;
      notification = from.notification;
      names = from.names;
      portionNames = from.portionNames;
      backlog = from.backlog;
    }

    WatchOptions options() {
      return new WatchOptions(
          wanted,
          descend,
          leftOut,
          followSymlinks,
          reconcileMillis,
          pollMillis,
          minTickMillis,
          maxTickMillis,
          notification,
          names,
          portionNames,
          backlog);
    }
  }
}
