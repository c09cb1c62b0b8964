package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.EventCollector;
import dev.tailwater.io.watch.event.EventSource;
import dev.tailwater.io.watch.event.FanotifySource;
import dev.tailwater.io.watch.event.InotifySource;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import org.jspecify.annotations.Nullable;

/**
 * Decides which source tells of a directory: inotify until its limit is reached, then fanotify for
 * the whole file system. Directories that inotify watched there are handed over as they are scanned
 * again, so that the user's watches are free for others.
 */
final class Notification implements AutoCloseable {
  private final NotificationMethod method;
  private final InotifySource inotify;
  private final FanotifySource fanotify;

  private Notification(NotificationMethod method, InotifySource inotify, FanotifySource fanotify) {
    this.method = method;
    this.inotify = inotify;
    this.fanotify = fanotify;
  }

  static Notification open(FileCalls calls, NotificationMethod method, EventCollector collector) {
    return new Notification(
        method, InotifySource.open(calls, collector), new FanotifySource(calls, collector));
  }

  /** Whether anybody is to be asked at all. */
  boolean isWanted() {
    return method != NotificationMethod.POLLING;
  }

  /** Readable when there are events, as is {@link #otherFd}; or {@link EventSource#NO_FD}. */
  int fd() {
    return inotify.fd();
  }

  int otherFd() {
    return fanotify.fd();
  }

  /** Whether {@link #watch} may have something to do. */
  boolean concerns(DirectoryNode node) {
    return node.source == null || node.source == fanotify || fanotify.covers(node.key.device());
  }

  /**
   * Sees to it that somebody tells of the directory.
   *
   * @return another node that nobody tells of any more for it
   * @throws ErrnoException why nobody does; why fanotify does not is suppressed in it
   */
  @Nullable DirectoryNode watch(DirectoryNode node, int directoryFd) throws ErrnoException {
    long device = node.key.device();
    if (fanotify.covers(device)) {
      return handOver(node, directoryFd);
    }
    // Its file system was marked, and could not be again.
    fanotify.remove(node);
    if (method == NotificationMethod.FANOTIFY) {
      fanotify.mark(device, directoryFd);
      return fanotify.add(node, directoryFd);
    }
    try {
      return inotify.add(node, directoryFd);
    } catch (ErrnoException e) {
      if (method != NotificationMethod.AUTOMATIC || !isLimit(e)) {
        throw e;
      }
      return insteadOfInotify(node, directoryFd, e);
    }
  }

  private @Nullable DirectoryNode handOver(DirectoryNode node, int directoryFd)
      throws ErrnoException {
    EventSource before = node.source;
    DirectoryNode other = fanotify.add(node, directoryFd);
    if (before == inotify) {
      inotify.remove(node);
    }
    return other;
  }

  private @Nullable DirectoryNode insteadOfInotify(
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
   * Makes the kernel tell, or not tell, of writing, as is wanted.
   *
   * @return as {@link #watch}
   */
  @Nullable DirectoryNode tune(DirectoryNode node, int directoryFd) throws ErrnoException {
    return node.source == inotify && node.writesSilent != node.filesPolled
        ? inotify.add(node, directoryFd)
        : null;
  }

  void release(DirectoryNode node) throws ErrnoException {
    if (node.source != null) {
      node.source.remove(node);
    }
  }

  /** A scan of everything begins. */
  void scanBegins() {
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
    try {
      inotify.close();
    } finally {
      fanotify.close();
    }
  }
}
