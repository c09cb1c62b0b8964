package dev.tailwater.io.watch;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.WatchEvent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The kernel's queue of events: an inotify instance, or the reason why there is none. */
final class EventQueue implements AutoCloseable {
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
          WatchEvent.ONLY_DIRECTORY,
          WatchEvent.EXCLUDE_UNLINKED);

  private final FileCalls calls;
  private final OptionalInt fd;
  private final Optional<ErrnoException> whyNone;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer;

  private EventQueue(FileCalls calls, OptionalInt fd, Optional<ErrnoException> whyNone) {
    this.calls = calls;
    this.fd = fd;
    this.whyNone = whyNone;
    this.buffer = arena.allocate(BUFFER_BYTES, Long.BYTES);
  }

  /** Without an instance to be had (EMFILE, ENFILE, ENOMEM, ENOSYS) every watch is refused. */
  static EventQueue open(FileCalls calls) {
    try {
      return new EventQueue(calls, OptionalInt.of(calls.inotifyInit()), Optional.empty());
    } catch (ErrnoException e) {
      return new EventQueue(calls, OptionalInt.empty(), Optional.of(e));
    }
  }

  /** Empty when there is no queue. */
  OptionalInt fd() {
    return fd;
  }

  /**
   * Watches the directory behind an open descriptor, whatever its path leads to by now.
   *
   * @throws ErrnoException ENOSPC at the user's limit of watches, ENOMEM, EACCES; or why there is
   *     no queue
   */
  int add(int directoryFd, PosixPath path) throws ErrnoException {
    if (whyNone.isPresent()) {
      throw whyNone.get();
    }
    try {
      PosixPath magic = PosixPath.of("/proc/self/fd/" + directoryFd);
      return calls.inotifyAddWatch(fd.orElseThrow(), magic, EVENTS);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT && e.errno() != Errno.ENOTDIR) {
        throw e;
      }
      // No /proc in this container.
      return calls.inotifyAddWatch(fd.orElseThrow(), path, EVENTS);
    }
  }

  /** Ends a watch; the kernel may have dropped it already (EINVAL), with the directory. */
  void remove(int watchDescriptor) throws ErrnoException {
    if (fd.isEmpty()) {
      return;
    }
    try {
      calls.inotifyRemoveWatch(fd.getAsInt(), watchDescriptor);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EINVAL) {
        throw e;
      }
    }
  }

  /** Reads until nothing is left; returns the number of events. */
  int drain(EventParser.Handler handler) throws ErrnoException {
    int count = 0;
    for (int reads = 0; fd.isPresent() && reads < MAX_READS; reads++) {
      int lengthBytes = calls.inotifyRead(fd.getAsInt(), buffer);
      if (lengthBytes == 0) {
        break;
      }
      count += EventParser.parse(buffer, lengthBytes, handler);
    }
    return count;
  }

  @Override
  public void close() throws ErrnoException {
    arena.close();
    if (fd.isPresent()) {
      calls.close(fd.getAsInt());
    }
  }
}
