package dev.tailwater.delivery.hang;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.WatchCalls;
import dev.tailwater.posix.value.WatchEvent;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Watches on directories below sources. A wait for events is no wait for a file. */
final class SourceWatchCalls implements WatchCalls {
  private final WatchCalls calls;
  private final CallSlots slots;

  SourceWatchCalls(WatchCalls calls, CallSlots slots) {
    this.calls = calls;
    this.slots = slots;
  }

  /** Waits for events: no wait for a file. */
  @Override
  public long pollReadable(int[] fds, long exceptional, int timeoutMillis) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.restChanged();
    try {
      return calls.pollReadable(fds, exceptional, timeoutMillis);
    } finally {
      slot.restChanged();
    }
  }

  @Override
  public int inotifyAddWatch(int inotifyFd, PosixPath path, Set<WatchEvent> events)
      throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("inotifyAddWatch", inotifyFd, path);
    try {
      return calls.inotifyAddWatch(inotifyFd, path, events);
    } finally {
      slot.end();
    }
  }

  @Override
  public int inotifyInit() throws ErrnoException {
    return calls.inotifyInit();
  }

  @Override
  public void inotifyRemoveWatch(int inotifyFd, int watchDescriptor) throws ErrnoException {
    calls.inotifyRemoveWatch(inotifyFd, watchDescriptor);
  }

  @Override
  public int inotifyRead(int inotifyFd, MemorySegment target) throws ErrnoException {
    return calls.inotifyRead(inotifyFd, target);
  }

  @Override
  public int eventFd() throws ErrnoException {
    return calls.eventFd();
  }

  @Override
  public void signalEventFd(int eventFd) throws ErrnoException {
    calls.signalEventFd(eventFd);
  }

  @Override
  public void clearEventFd(int eventFd) throws ErrnoException {
    calls.clearEventFd(eventFd);
  }
}
