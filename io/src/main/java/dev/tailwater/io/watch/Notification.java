package dev.tailwater.io.watch;

import dev.tailwater.io.watch.early.EarlyNames;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.EventCollector;
import dev.tailwater.io.watch.event.EventSource;
import dev.tailwater.io.watch.event.FanotifySource;
import dev.tailwater.io.watch.event.InotifySource;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The choice of the source of events for a directory: inotify until its limit is reached, then
 * fanotify for the whole file system. Directories of that file system move from inotify to fanotify
 * as they are scanned again, which frees the user's inotify watches.
 */
final class Notification implements AutoCloseable {
  private final NotificationMethod method;
  private final InotifySource inotify;
  private final FanotifySource fanotify;
  private final Optional<EarlyNames> names;

  private Notification(
      NotificationMethod method,
      InotifySource inotify,
      FanotifySource fanotify,
      Optional<EarlyNames> names) {
    this.method = method;
    this.inotify = inotify;
    this.fanotify = fanotify;
    this.names = names;
  }

  /**
   * Opens the sources.
   *
   * @param names is given every directory that inotify watches, and gives way to it at the limit
   */
  static Notification open(
      FileCalls calls,
      NotificationMethod method,
      EventCollector collector,
      Optional<EarlyNames> names) {
    return new Notification(
        method, InotifySource.open(calls, collector), new FanotifySource(calls, collector), names);
  }

  /** Returns whether any source is to be used. */
  boolean isEnabled() {
    return method != NotificationMethod.POLLING;
  }

  /**
   * Returns a descriptor that is readable if there are events; {@link EventSource#NO_FD} if none.
   */
  int fd() {
    return inotify.fd();
  }

  int otherFd() {
    return fanotify.fd();
  }

  /** Returns whether {@link #watch} may have something to do. */
  boolean mayNeedWork(DirectoryNode node) {
    return node.source == null || node.source == fanotify || fanotify.covers(node.key.device());
  }

  /**
   * Adds the directory to a source of events.
   *
   * @return another node that lost its source because of this
   * @throws ErrnoException if no source can watch the directory; the reason of fanotify is
   *     suppressed in it
   */
  @Nullable DirectoryNode watch(DirectoryNode node, int directoryFd) throws ErrnoException {
    long device = node.key.device();
    if (fanotify.covers(device)) {
      return handOver(node, directoryFd);
    }
    // Its file system was marked and could not be marked again.
    fanotify.remove(node);
    if (method == NotificationMethod.FANOTIFY) {
      fanotify.mark(device, directoryFd);
      return fanotify.add(node, directoryFd);
    }
    try {
      DirectoryNode other = addToInotify(node, directoryFd);
      watchNames(node, directoryFd);
      return other;
    } catch (ErrnoException e) {
      if (method != NotificationMethod.AUTOMATIC || !isLimit(e)) {
        throw e;
      }
      return fallBackToFanotify(node, directoryFd, e);
    }
  }

  private @Nullable DirectoryNode addToInotify(DirectoryNode node, int directoryFd)
      throws ErrnoException {
    try {
      return inotify.add(node, directoryFd);
    } catch (ErrnoException e) {
      if (!isLimit(e) || names.isEmpty() || !names.get().giveUp(e)) {
        throw e;
      }
      return inotify.add(node, directoryFd);
    }
  }

  private void watchNames(DirectoryNode node, int directoryFd) throws ErrnoException {
    if (names.isPresent()) {
      names.get().watch(node, directoryFd);
    }
  }

  private @Nullable DirectoryNode handOver(DirectoryNode node, int directoryFd)
      throws ErrnoException {
    EventSource before = node.source;
    DirectoryNode other = fanotify.add(node, directoryFd);
    if (before == inotify) {
      inotify.remove(node);
      releaseNames(node);
    }
    return other;
  }

  private @Nullable DirectoryNode fallBackToFanotify(
      DirectoryNode node, int directoryFd, ErrnoException why) throws ErrnoException {
    try {
      fanotify.mark(node.key.device(), directoryFd);
      return fanotify.add(node, directoryFd);
    } catch (ErrnoException e) {
      ErrnoException both =
          ErrnoException.of("inotify_add_watch", node.path.toString(), why.errno());
      both.addSuppressed(e);
      throw both;
    }
  }

  private static boolean isLimit(ErrnoException e) {
    return e.errno() == Errno.ENOSPC || e.errno() == Errno.EMFILE;
  }

  /**
   * Turns the events for writes and others on or off, as the node wants.
   *
   * @return as {@link #watch}
   */
  @Nullable DirectoryNode tune(DirectoryNode node, int directoryFd) throws ErrnoException {
    if (node.source == inotify) {
      watchNames(node, directoryFd); // Its path may have changed.
    }
    boolean isTuned =
        node.writeEventsOff == node.filesPolled && node.onlyComingNames == node.isOnlyAwaitedIn();
    return node.source == inotify && !isTuned ? inotify.add(node, directoryFd) : null;
  }

  void release(DirectoryNode node) throws ErrnoException {
    if (node.source != null) {
      node.source.remove(node);
    }
    releaseNames(node);
  }

  private void releaseNames(DirectoryNode node) throws ErrnoException {
    if (names.isPresent()) {
      names.get().release(node);
    }
  }

  /** Waits until the listener was told of all names that have come, or for the time-out. */
  void settleNames(int timeoutMillis) throws ErrnoException {
    if (names.isPresent()) {
      names.get().settle(timeoutMillis);
    }
  }

  /** Prepares for a scan of everything. */
  void beginScan() {
    fanotify.confirmAgain();
  }

  int drain() throws ErrnoException {
    return inotify.drain() + fanotify.drain();
  }

  boolean expectsMore() {
    return inotify.expectsMore() || fanotify.expectsMore();
  }

  void expectNoMore() {
    inotify.expectNoMore();
    fanotify.expectNoMore();
  }

  int inotifyDirectories() {
    return inotify.directoryCount();
  }

  int fanotifyDirectories() {
    return fanotify.directoryCount();
  }

  long skippedEvents() {
    return fanotify.skippedEvents();
  }

  @Override
  public void close() throws ErrnoException {
    try (FanotifySource _ = fanotify;
        InotifySource _ = inotify) {
      if (names.isPresent()) {
        names.get().close();
      }
    }
  }
}
