package dev.tailwater.io.watch.event;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;

/** A wait in poll(2) that another thread can end through an eventfd(2), and a change of mounts. */
public final class WakeUp implements AutoCloseable {
  private static final int CALL = 1;
  private static final int MOUNTS = 1 << 3;

  private final FileCalls calls;
  private final int eventFd;

  @GuardedBy("this")
  private boolean closed;

  /** These belong to the thread that waits. */
  private final int[] fds;

  private boolean called;
  private boolean mountsChanged;

  private WakeUp(FileCalls calls, int eventFd) {
    this.calls = calls;
    this.eventFd = eventFd;
    this.fds = new int[] {eventFd, EventSource.NO_FD, EventSource.NO_FD, EventSource.NO_FD};
  }

  public static WakeUp open(FileCalls calls) throws ErrnoException {
    return new WakeUp(calls, calls.eventFd());
  }

  /** Ends the current or next wait. For any thread. */
  public synchronized void call() throws ErrnoException {
    if (!closed) {
      calls.signalEventFd(eventFd);
    }
  }

  /** Waits for one of two descriptors or a call; returns whether a descriptor is readable. */
  public boolean await(int fd, int otherFd, long timeoutMillis) throws ErrnoException {
    return await(fd, otherFd, EventSource.NO_FD, timeoutMillis);
  }

  /**
   * Same as {@link #await(int, int, long)}, but a {@linkplain #wereMountsChanged change of mounts}
   * ends the wait, too.
   *
   * @param mountsFd that of {@link dev.tailwater.io.mount.MountPoints}
   */
  public boolean await(int fd, int otherFd, int mountsFd, long timeoutMillis)
      throws ErrnoException {
    fds[1] = fd;
    fds[2] = otherFd;
    fds[3] = mountsFd;
    int atMostMillis = (int) Math.min(Integer.MAX_VALUE, timeoutMillis);
    long ready = calls.pollReadable(fds, MOUNTS, atMostMillis);
    if ((ready & MOUNTS) != 0) {
      mountsChanged = true;
    }
    if ((ready & CALL) != 0) {
      calls.clearEventFd(eventFd);
      called = true;
    }
    return (ready & ~(CALL | MOUNTS)) != 0;
  }

  /** Returns whether the mounts have changed since the last call of this method. */
  public boolean wereMountsChanged() {
    boolean were = mountsChanged;
    mountsChanged = false;
    return were;
  }

  public boolean isCalled() {
    return called;
  }

  /** Returns whether it was called since the last call of this method. */
  public boolean wasCalled() {
    boolean was = called;
    called = false;
    return was;
  }

  @Override
  public synchronized void close() throws ErrnoException {
    if (!closed) {
      closed = true;
      calls.close(eventFd);
    }
  }
}
