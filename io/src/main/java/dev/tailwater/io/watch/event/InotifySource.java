package dev.tailwater.io.watch.event;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.WatchEvent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** inotify(7): one watch for each directory. Or the reason why there is no instance. */
public final class InotifySource implements EventSource, EventParser.Handler {
  private static final int BUFFER_BYTES = 64 * 1024;

  /** So that a flood of events cannot keep the watch from ever answering. */
  private static final int MAX_READS = 256;

  private static final Set<WatchEvent> EVENTS =
      EnumSet.of(
          WatchEvent.MODIFY,
          WatchEvent.ATTRIBUTES,
          WatchEvent.CLOSE_WRITE,
          WatchEvent.MOVED_FROM,
          WatchEvent.MOVED_TO,
          WatchEvent.CREATE,
          WatchEvent.DELETE,
          WatchEvent.DELETE_SELF,
          WatchEvent.MOVE_SELF,
          WatchEvent.ONLY_DIRECTORY);

  /** Of a directory whose files are polled: what happens to names. */
  private static final Set<WatchEvent> NAME_EVENTS = EnumSet.copyOf(EVENTS);

  /** Of a directory that may be as busy as /tmp: what comes to a name in it. */
  private static final Set<WatchEvent> COMING_NAME_EVENTS =
      EnumSet.of(
          WatchEvent.MOVED_TO,
          WatchEvent.CREATE,
          WatchEvent.DELETE_SELF,
          WatchEvent.MOVE_SELF,
          WatchEvent.ONLY_DIRECTORY);

  static {
    NAME_EVENTS.remove(WatchEvent.MODIFY);
    NAME_EVENTS.remove(WatchEvent.CLOSE_WRITE);
  }

  private final FileCalls calls;
  private final EventCollector collector;
  private final int fd;
  private final Optional<ErrnoException> whyNone;
  private final WatchedDirectories<Integer> watched = new WatchedDirectories<>(this);
  private final MovePairing moves = new MovePairing();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer = arena.allocate(BUFFER_BYTES, Long.BYTES);

  private InotifySource(
      FileCalls calls, EventCollector collector, int fd, Optional<ErrnoException> whyNone) {
    this.calls = calls;
    this.collector = collector;
    this.fd = fd;
    this.whyNone = whyNone;
  }

  /** Without an instance to be had (EMFILE, ENFILE, ENOMEM, ENOSYS) every watch is refused. */
  public static InotifySource open(FileCalls calls, EventCollector collector) {
    try {
      return new InotifySource(calls, collector, calls.inotifyInit(), Optional.empty());
    } catch (ErrnoException e) {
      return new InotifySource(calls, collector, NO_FD, Optional.of(e));
    }
  }

  @Override
  public int fd() {
    return fd;
  }

  /**
   * Watches the directory; without the events of written files where those are polled, and only for
   * names that come where only such are awaited.
   *
   * @throws ErrnoException ENOSPC at the user's limit of watches, ENOMEM, EACCES; or why there is
   *     no queue
   */
  @Override
  public @Nullable DirectoryNode add(DirectoryNode node, int directoryFd) throws ErrnoException {
    if (whyNone.isPresent()) {
      throw whyNone.get();
    }
    boolean onlyComing = node.isOnlyAwaitedIn();
    int watch = addWatch(directoryFd, node.path, onlyComing ? COMING_NAME_EVENTS : events(node));
    DirectoryNode other = watched.put(watch, node);
    node.writeEventsOff = node.filesPolled;
    node.onlyComingNames = onlyComing;
    return other;
  }

  private static Set<WatchEvent> events(DirectoryNode node) {
    return node.filesPolled ? NAME_EVENTS : EVENTS;
  }

  private int addWatch(int directoryFd, PosixPath path, Set<WatchEvent> events)
      throws ErrnoException {
    try {
      PosixPath magic = PosixPath.of("/proc/self/fd/" + directoryFd);
      return calls.inotifyAddWatch(fd, magic, events);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT && e.errno() != Errno.ENOTDIR) {
        throw e;
      }
      // No /proc in this container.
      return calls.inotifyAddWatch(fd, path, events);
    }
  }

  /** The kernel may have dropped the watch already (EINVAL), with the directory. */
  @Override
  public void remove(DirectoryNode node) throws ErrnoException {
    Integer watch = watched.remove(node);
    if (watch == null) {
      return;
    }
    try {
      calls.inotifyRemoveWatch(fd, watch);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EINVAL) {
        throw e;
      }
    }
  }

  @Override
  public int drain() throws ErrnoException {
    int count = 0;
    for (int reads = 0; fd != NO_FD && reads < MAX_READS; reads++) {
      int lengthBytes = calls.inotifyRead(fd, buffer);
      if (lengthBytes == 0) {
        break;
      }
      count += EventParser.parse(buffer, lengthBytes, this);
    }
    return count;
  }

  @Override
  public void event(int watchDescriptor, int mask, int cookie, PosixPath name) {
    if ((mask & EventMask.OVERFLOW) != 0) {
      collector.overflow();
      return;
    }
    if ((mask & EventMask.MOVED_FROM) != 0) {
      moves.movedFrom(cookie);
    } else if ((mask & EventMask.MOVED_TO) != 0) {
      moves.movedTo(cookie);
    }
    DirectoryNode node = watched.node(watchDescriptor);
    if (node == null) {
      return;
    }
    if ((mask & EventMask.IGNORED) != 0) {
      watched.remove(node);
      collector.dropped(node);
    } else {
      collector.event(node, mask, name);
    }
  }

  @Override
  public boolean expectsMore() {
    return moves.hasOpen();
  }

  @Override
  public void expectNoMore() {
    moves.giveUp();
  }

  @Override
  public boolean canOmitWrites() {
    return true;
  }

  @Override
  public int directoryCount() {
    return watched.count();
  }

  @Override
  public void close() throws ErrnoException {
    arena.close();
    if (fd != NO_FD) {
      calls.close(fd);
    }
  }
}
