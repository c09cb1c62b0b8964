package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.AdaptiveTick;
import dev.tailwater.io.watch.event.DirtyNames;
import dev.tailwater.io.watch.event.EventCollector;
import dev.tailwater.io.watch.event.EventSource;
import dev.tailwater.io.watch.event.MountChanges;
import dev.tailwater.io.watch.event.WakeUp;
import dev.tailwater.posix.ErrnoException;

/**
 * What the kernel has reported since the last look, events of directories and changes of mounts,
 * and what a pass must look at because of it.
 */
final class KernelReports implements AutoCloseable {
  private static final int FORGET_MOVE_AFTER_MILLIS = 2;

  /** How long a look waits until the listener was told of all names that the look is about. */
  private static final int SETTLE_MILLIS = 100;

  private final Notification notification;
  private final EventCollector collector;
  private final MountChanges mounts;
  private final WakeUp wakeUp;
  private final AdaptiveTick tick;
  private final Roots roots;
  private long events;
  private long eventsInLook;

  KernelReports(
      Notification notification,
      EventCollector collector,
      MountChanges mounts,
      WakeUp wakeUp,
      AdaptiveTick tick,
      Roots roots) {
    this.notification = notification;
    this.collector = collector;
    this.mounts = mounts;
    this.wakeUp = wakeUp;
    this.tick = tick;
    this.roots = roots;
  }

  /** Waits for a report, the wake-up or the limit; returns whether there is a report. */
  boolean await(long limitMillis) throws ErrnoException {
    int mountsFd = mounts.fd();
    long waitMillis = Math.min(limitMillis, mounts.maxWaitMillis());
    boolean ready = wakeUp.await(notification.fd(), notification.otherFd(), mountsFd, waitMillis);
    if (wakeUp.wereMountsChanged()) {
      mounts.read(roots::areConcernedBy);
    }
    return ready || mounts.any();
  }

  /** Waits for more reports after the first: for a tick, unless the limit ends before. */
  void collect(long limitMillis) throws ErrnoException {
    long collectMillis = Math.min(limitMillis, tick.collectMillis());
    if (collectMillis > 0) {
      wakeUp.await(EventSource.NO_FD, EventSource.NO_FD, collectMillis);
    }
  }

  /** Reads the events that a look begins with. */
  void beginLook() throws ErrnoException {
    tick.beginLook();
    eventsInLook = drain();
  }

  /** Records that these events were handled, by the caller of the watch too. */
  void endLook() {
    tick.endLook(eventsInLook);
  }

  /** Reads the events that there are; returns how many. */
  int drain() throws ErrnoException {
    long overflowsBefore = collector.overflows();
    int count = notification.drain();
    if (notification.expectsMore()
        && wakeUp.await(notification.fd(), notification.otherFd(), FORGET_MOVE_AFTER_MILLIS)) {
      count += notification.drain();
    }
    notification.expectNoMore();
    if (collector.overflows() > overflowsBefore) {
      tick.overflowed();
    }
    events += count;
    return count;
  }

  /**
   * Looks at the names that were reported, and queues the scans that reports ask for.
   *
   * @param continued whether the pass may have listed directories before the reports
   * @param scanLater is run if everything must be scanned after such a pass, since events were lost
   */
  void lookAt(Pass pass, boolean continued, Runnable scanLater) throws ErrnoException {
    notification.settleNames(SETTLE_MILLIS); // So that files that are gone are open or are missed.
    DirtyNames dirty = collector.take();
    if (dirty.everything || dirty.roots) {
      roots.check(pass);
    } else {
      roots.checkNamed(dirty, pass);
    }
    if (dirty.everything && continued) {
      scanLater.run();
    } else if (dirty.everything) {
      roots.scan(pass);
    }
    if (mounts.any()) {
      roots.lookAtMountPoints(mounts.take(), pass);
    }
    dirty.names.forEach(pass::look);
    dirty.directories.forEach(pass::scanAlone);
    dirty.moved.forEach(pass::watchAnew);
  }

  /** Returns the number of events that were read. */
  long events() {
    return events;
  }

  /** Returns the number of events about a name that another one of the same look was about. */
  long coalesced() {
    return collector.coalesced();
  }

  /** Returns how often events were lost. */
  long overflows() {
    return collector.overflows();
  }

  /** Returns the current tick. */
  long tickMillis() {
    return tick.millis();
  }

  @Override
  public void close() throws ErrnoException {
    try (mounts) {
      notification.close();
    }
  }
}
