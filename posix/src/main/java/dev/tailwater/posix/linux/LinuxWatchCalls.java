package dev.tailwater.posix.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.WatchCalls;
import dev.tailwater.posix.binding.Failure;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import dev.tailwater.posix.binding.WatchBindings;
import dev.tailwater.posix.binding.WatchBits;
import dev.tailwater.posix.value.WatchEvent;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The implementation of {@link WatchCalls} for Linux. */
final class LinuxWatchCalls implements WatchCalls {
  private static final int NON_BLOCK = 04000;
  private static final int CLOSE_ON_EXEC = 02000000;
  private static final long EVENT_COUNT_BYTES = 8;

  /** struct pollfd: fd s32, events s16, revents s16. */
  private static final int POLLFD_BYTES = 8;

  private static final short POLLIN = 0x01;
  private static final short POLLPRI = 0x02;
  private static final short POLLNVAL = 0x20;

  private final ScratchPool scratches;

  LinuxWatchCalls(ScratchPool scratches) {
    this.scratches = scratches;
  }

  @Override
  public int inotifyInit() throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int fd = WatchBindings.inotifyInit1(scratch.errno(), NON_BLOCK | CLOSE_ON_EXEC);
      if (fd < 0) {
        throw scratch.failure("inotify_init", "a new instance");
      }
      return fd;
    }
  }

  @Override
  public int inotifyAddWatch(int inotifyFd, PosixPath path, Set<WatchEvent> events)
      throws ErrnoException {
    int mask = WatchBits.of(events);
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment name = scratch.path(path);
      int watch;
      do {
        watch = WatchBindings.inotifyAddWatch(scratch.errno(), inotifyFd, name, mask);
      } while (watch < 0 && scratch.interrupted());
      if (watch < 0) {
        throw scratch.failure("inotify_add_watch", path.toString());
      }
      return watch;
    }
  }

  @Override
  public void inotifyRemoveWatch(int inotifyFd, int watchDescriptor) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      if (WatchBindings.inotifyRmWatch(scratch.errno(), inotifyFd, watchDescriptor) < 0) {
        throw scratch.failure("inotify_rm_watch", "fd " + inotifyFd + " watch " + watchDescriptor);
      }
    }
  }

  @Override
  public int inotifyRead(int inotifyFd, MemorySegment target) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      long bytes;
      do {
        bytes = WatchBindings.read(scratch.errno(), inotifyFd, target, target.byteSize());
      } while (bytes < 0 && scratch.interrupted());
      if (bytes < 0 && !scratch.failedWith(Errno.EAGAIN)) {
        throw scratch.failure("inotify_read", inotifyFd);
      }
      return (int) Math.max(bytes, 0);
    }
  }

  @Override
  public int eventFd() throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int fd = WatchBindings.eventfd(scratch.errno(), 0, NON_BLOCK | CLOSE_ON_EXEC);
      if (fd < 0) {
        throw scratch.failure("eventfd", "a new counter");
      }
      return fd;
    }
  }

  @Override
  public void signalEventFd(int eventFd) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment one = scratch.struct();
      one.set(JAVA_LONG, 0, 1L);
      long bytes;
      do {
        bytes = WatchBindings.write(scratch.errno(), eventFd, one, EVENT_COUNT_BYTES);
      } while (bytes < 0 && scratch.interrupted());
      // EAGAIN: the counter is at its maximum, so the poller wakes up anyway.
      if (bytes < 0 && !scratch.failedWith(Errno.EAGAIN)) {
        throw scratch.failure("eventfd_write", eventFd);
      }
    }
  }

  @Override
  public void clearEventFd(int eventFd) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      long bytes;
      do {
        bytes = WatchBindings.read(scratch.errno(), eventFd, scratch.struct(), EVENT_COUNT_BYTES);
      } while (bytes < 0 && scratch.interrupted());
      // EAGAIN: there was no signal since the counter was last cleared.
      if (bytes < 0 && !scratch.failedWith(Errno.EAGAIN)) {
        throw scratch.failure("eventfd_read", eventFd);
      }
    }
  }

  @Override
  public long pollReadable(int[] fds, long exceptional, int timeoutMillis) throws ErrnoException {
    if (fds.length > Long.SIZE) {
      throw new IllegalArgumentException(fds.length + " descriptors to poll; at most " + Long.SIZE);
    }
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment pollFds = scratch.struct();
      for (int i = 0; i < fds.length; i++) {
        long at = (long) i * POLLFD_BYTES;
        pollFds.set(JAVA_INT, at, fds[i]);
        pollFds.set(JAVA_SHORT, at + 4, (exceptional >>> i & 1) == 0 ? POLLIN : POLLPRI);
        pollFds.set(JAVA_SHORT, at + 6, (short) 0);
      }
      poll(scratch, pollFds, fds.length, timeoutMillis);
      return readable(pollFds, fds);
    }
  }

  private static void poll(Scratch scratch, MemorySegment pollFds, int count, int timeoutMillis)
      throws ErrnoException {
    long startNanos = System.nanoTime();
    int leftMillis = timeoutMillis;
    while (WatchBindings.poll(scratch.errno(), pollFds, count, leftMillis) < 0) {
      if (!scratch.interrupted()) {
        throw scratch.failure("poll", count + " descriptors");
      }
      if (timeoutMillis > 0) {
        long passedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        leftMillis = (int) Math.max(0, timeoutMillis - passedMillis);
      }
    }
  }

  private static long readable(MemorySegment pollFds, int[] fds) throws ErrnoException {
    long readable = 0;
    for (int i = 0; i < fds.length; i++) {
      short events = pollFds.get(JAVA_SHORT, (long) i * POLLFD_BYTES + 6);
      if ((events & POLLNVAL) != 0) {
        throw Failure.of("poll", "fd " + fds[i], Errno.EBADF.number());
      }
      // Includes POLLHUP and POLLERR: a read would return at once.
      if (events != 0) {
        readable |= 1L << i;
      }
    }
    return readable;
  }
}
