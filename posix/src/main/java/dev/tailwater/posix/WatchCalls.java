package dev.tailwater.posix;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/** inotify(7) and poll(2). */
public interface WatchCalls {
  /** A new inotify instance, non-blocking and close-on-exec. */
  int inotifyInit() throws ErrnoException;

  /** Returns the watch descriptor. */
  int inotifyAddWatch(int inotifyFd, PosixPath path, Set<WatchEvent> events) throws ErrnoException;

  void inotifyRemoveWatch(int inotifyFd, int watchDescriptor) throws ErrnoException;

  /** Reads raw events from a non-blocking inotify descriptor; 0 when there is none. */
  int inotifyRead(int inotifyFd, MemorySegment target) throws ErrnoException;

  /** An eventfd(2) that wakes a {@link #pollReadable}. */
  int eventFd() throws ErrnoException;

  void signalEventFd(int eventFd) throws ErrnoException;

  void clearEventFd(int eventFd) throws ErrnoException;

  /** Waits until one of the descriptors is readable; the indexes as a bit set, 0 on time-out. */
  long pollReadable(int[] fds, int timeoutMillis) throws ErrnoException;
}
