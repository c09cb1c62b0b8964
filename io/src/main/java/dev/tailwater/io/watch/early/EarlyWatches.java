package dev.tailwater.io.watch.early;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.WatchEvent;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The directories of one inotify queue whose new names are told early. A watch is added under the
 * lock, so that no event is read before it is known which directory it is about. Thread-safe.
 */
final class EarlyWatches {
  private static final Set<WatchEvent> EVENTS =
      EnumSet.of(
          WatchEvent.CREATE,
          WatchEvent.DELETE,
          WatchEvent.MOVED_FROM,
          WatchEvent.MOVED_TO,
          WatchEvent.ONLY_DIRECTORY);

  /** Of a directory in which only other directories are awaited. */
  private static final Set<WatchEvent> COMING_NAME_EVENTS =
      EnumSet.of(WatchEvent.CREATE, WatchEvent.MOVED_TO, WatchEvent.ONLY_DIRECTORY);

  private final FileCalls calls;
  private final int fd;
  private final NameListener listener;

  @GuardedBy("this")
  private final Map<Integer, EarlyDirectory> byWatch = new HashMap<>();

  /** Whether there are no more inotify watches to be had. */
  private volatile boolean exhausted;

  /**
   * Creates an empty set.
   *
   * @param fd the inotify descriptor
   */
  EarlyWatches(FileCalls calls, int fd, NameListener listener) {
    this.calls = calls;
    this.fd = fd;
    this.listener = listener;
  }

  /** Returns whether no more directories are watched. */
  boolean isExhausted() {
    return exhausted;
  }

  synchronized int count() {
    return byWatch.size();
  }

  synchronized Optional<EarlyDirectory> find(int watch) {
    return Optional.ofNullable(byWatch.get(watch));
  }

  /** Forgets a watch that the kernel has dropped. */
  synchronized void dropped(int watch) {
    byWatch.remove(watch);
  }

  /**
   * Watches a directory that an event has told of.
   *
   * @return its watch; empty if the directory was watched before, perhaps under another path
   */
  synchronized OptionalInt watchNew(EarlyDirectory fresh, int directoryFd) throws ErrnoException {
    int watch = add(fresh.path(), directoryFd, EVENTS); // It may be watched for more than is known.
    EarlyDirectory before = byWatch.get(watch);
    if (before == null) {
      byWatch.put(watch, fresh);
      return OptionalInt.of(watch);
    }
    replace(
        watch,
        new EarlyDirectory(
            fresh.root(), fresh.path(), before.only(), before.isOnlyAwaitedIn(), before.claimed()));
    return OptionalInt.empty();
  }

  /** Watches a directory of the watch, under its present path. */
  synchronized void watch(DirectoryNode node, int directoryFd) throws ErrnoException {
    if (exhausted) {
      node.namesWatch = OptionalInt.empty();
      return;
    }
    Optional<Predicate<PosixPath>> only =
        node.restricted ? Optional.of(node.isExplicit) : Optional.empty();
    EarlyDirectory wanted =
        new EarlyDirectory(node.root().path, node.path, only, node.isOnlyAwaitedIn(), true);
    if (node.namesWatch.isPresent() && wanted.equals(byWatch.get(node.namesWatch.getAsInt()))) {
      return;
    }
    try {
      int watch =
          add(node.path, directoryFd, wanted.isOnlyAwaitedIn() ? COMING_NAME_EVENTS : EVENTS);
      replace(watch, wanted);
      node.namesWatch = OptionalInt.of(watch);
    } catch (ErrnoException e) {
      node.namesWatch = OptionalInt.empty();
      giveUp(e); // The watch sees new names too, if later.
    }
  }

  @GuardedBy("this")
  private void replace(int watch, EarlyDirectory directory) {
    EarlyDirectory before = byWatch.put(watch, directory);
    if (before != null && !before.path().equals(directory.path()) && !before.isOnlyAwaitedIn()) {
      listener.directoryRenamed(before.path(), directory.path());
    }
  }

  @GuardedBy("this")
  private int add(PosixPath path, int directoryFd, Set<WatchEvent> events) throws ErrnoException {
    try {
      return calls.inotifyAddWatch(fd, PosixPath.of("/proc/self/fd/" + directoryFd), events);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT && e.errno() != Errno.ENOTDIR) {
        throw e;
      }
      return calls.inotifyAddWatch(fd, path, events); // No /proc in this container.
    }
  }

  /** Stops watching a directory that the watch has not taken up. */
  synchronized void releaseUnclaimed(int watch) throws ErrnoException {
    EarlyDirectory directory = byWatch.get(watch);
    if (directory != null && !directory.claimed()) {
      release(watch);
    }
  }

  /** Stops watching a directory of the watch. */
  synchronized void release(DirectoryNode node) throws ErrnoException {
    if (node.namesWatch.isPresent()) {
      int watch = node.namesWatch.getAsInt();
      node.namesWatch = OptionalInt.empty();
      release(watch);
    }
  }

  @GuardedBy("this")
  private boolean release(int watch) throws ErrnoException {
    EarlyDirectory directory = byWatch.remove(watch);
    if (directory == null) {
      return false;
    }
    if (!directory.isOnlyAwaitedIn()) {
      listener.directoryReleased(directory.path()); // Else what is below it has its own watch.
    }
    try {
      calls.inotifyRemoveWatch(fd, watch);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EINVAL) { // The kernel has dropped it, with the directory.
        throw e;
      }
    }
    return true;
  }

  /**
   * Gives all directories up for good, since somebody needs the user's inotify watches more.
   *
   * @return whether there was any
   */
  synchronized boolean giveUp(ErrnoException why) throws ErrnoException {
    if (!exhausted) {
      exhausted = true;
      listener.limited(why);
    }
    boolean any = false;
    for (Integer watch : List.copyOf(byWatch.keySet())) {
      any |= release(watch);
    }
    return any;
  }
}
