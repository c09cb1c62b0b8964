package dev.tailwater.io.watch;

import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Tells which files below some roots appear, are written, are renamed and disappear.
 *
 * <p>A hybrid: inotify(7) on directories, with rename cookies, says where to look and costs nothing
 * while nothing happens; a slow scan of everything is the truth and finds what notification missed.
 * Events, polling of {@linkplain FileSystemKind#inotifyBlind remote} directories, queue overflow
 * and the scan are handled by the same code: look at names, compare with the last snapshot.
 *
 * <p>Roots are absolute paths of directories or single files, and are followed if they are symbolic
 * links. They need not exist, and may vanish and come back; a missing one is looked for every
 * {@link WatchOptions#pollMillis}. A directory moved within the roots keeps its watch, and its
 * files are reported as renamed. After a directory is made it is watched first and then listed, so
 * files that were made before the watch are found.
 *
 * <p>{@link #poll} and {@link #statistics} belong to one thread; {@link #wake} may be called by
 * any.
 */
public final class DirectoryWatch implements AutoCloseable {
  private static final int FORGET_MOVE_AFTER_MILLIS = 2;

  private final WatchOptions options;
  private final LongSupplier nanoClock;
  private final EventQueue queue;
  private final WatchTree tree = new WatchTree();
  private final EventCollector events = new EventCollector(tree);
  private final WatchContext context;
  private final Roots roots;
  private final Schedule reconcile;
  private final Schedule polling;
  private final WakeUp wakeUp;
  private final AtomicBoolean scanRequested = new AtomicBoolean();
  private boolean first = true;
  private boolean closed;
  private long passes;
  private long eventCount;
  private long scanCount;
  private long pollCount;
  private long scanNanos;

  private DirectoryWatch(
      FileCalls calls,
      List<PosixPath> rootPaths,
      WatchOptions options,
      LongSupplier nanoClock,
      EventQueue queue,
      WakeUp wakeUp) {
    this.options = options;
    this.nanoClock = nanoClock;
    this.queue = queue;
    this.wakeUp = wakeUp;
    WatchKeeper keeper = new WatchKeeper(calls, queue, tree);
    this.context = new WatchContext(calls, options, tree, keeper, new Troubles());
    this.roots = new Roots(context, rootPaths);
    this.reconcile = new Schedule(nanoClock, options.reconcileMillis());
    this.polling = new Schedule(nanoClock, options.pollMillis());
  }

  /**
   * Makes a watch; nothing is looked at before the first {@link #poll}.
   *
   * @param roots absolute paths; {@link IllegalArgumentException} for others
   * @param nanoClock such as {@link System#nanoTime}
   * @throws ErrnoException when there is no descriptor for the wake-up (EMFILE, ENFILE). Without an
   *     inotify instance everything is polled
   */
  public static DirectoryWatch open(
      FileCalls calls, List<PosixPath> roots, WatchOptions options, LongSupplier nanoClock)
      throws ErrnoException {
    WakeUp wakeUp = WakeUp.open(calls);
    EventQueue queue = EventQueue.open(calls);
    try {
      return new DirectoryWatch(calls, roots, options, nanoClock, queue, wakeUp);
    } catch (IllegalArgumentException e) {
      queue.close();
      wakeUp.close();
      throw e;
    }
  }

  /**
   * Waits until something changed, and says what, in an order that can be followed; empty when the
   * time is over or {@link #wake} was called. The first call does not wait: it reports everything
   * that is there. At most one {@code Modified} per path and call.
   *
   * @param timeoutMillis 0 for no waiting, negative for no limit
   * @throws IOException when the kernel's queue itself fails; trouble with single files and
   *     directories is a {@link WatchChange.Unobservable}
   */
  public List<WatchChange> poll(int timeoutMillis) throws IOException {
    if (closed) {
      throw new IllegalStateException("directory watch is closed");
    }
    if (first) {
      return look(false);
    }
    long startNanos = nanoClock.getAsLong();
    while (true) {
      long leftMillis =
          timeoutMillis < 0
              ? Long.MAX_VALUE
              : timeoutMillis - (nanoClock.getAsLong() - startNanos) / 1_000_000;
      boolean ready = await(Math.max(0, leftMillis));
      boolean woken = wakeUp.wasCalled();
      List<WatchChange> changes = look(ready);
      if (!changes.isEmpty() || woken || leftMillis <= 0) {
        return changes;
      }
    }
  }

  /** Waits for events, a due look, a call or the end of the time; whether there are events. */
  private boolean await(long limitMillis) throws ErrnoException {
    long waitMillis = Math.min(limitMillis, reconcile.millisLeft());
    if (anythingToPoll()) {
      waitMillis = Math.min(waitMillis, polling.millisLeft());
    }
    boolean ready = wakeUp.await(queue.fd(), waitMillis);
    if (ready && !wakeUp.isCalled() && options.tickMillis() > 0) {
      // Ten writes in a tick cost what one costs.
      wakeUp.await(OptionalInt.empty(), options.tickMillis());
    }
    return ready;
  }

  private boolean anythingToPoll() {
    return tree.anythingToPoll() || roots.anyMissing();
  }

  private List<WatchChange> look(boolean eventsReady) throws ErrnoException {
    boolean scan = scanRequested.getAndSet(false) || first || reconcile.due();
    boolean poll = !scan && anythingToPoll() && polling.due();
    if (!eventsReady && !scan && !poll) {
      return List.of();
    }
    first = false;
    Pass pass = new Pass(context, ++passes);
    if (eventsReady) {
      drain();
      lookAtDirty(pass);
    }
    long startNanos = nanoClock.getAsLong();
    if (scan) {
      roots.check(pass);
      roots.scan(pass);
    } else if (poll) {
      pollTheBlind(pass);
    }
    pass.run();
    if (pass.anythingMissing()) {
      // It may just have been moved; then the events of that have come by now.
      drain();
      lookAtDirty(pass);
    }
    List<WatchChange> changes = pass.finish();
    account(scan, poll, nanoClock.getAsLong() - startNanos);
    return changes;
  }

  private void account(boolean scan, boolean poll, long tookNanos) {
    if (scan) {
      scanCount++;
      reconcile.ran(tookNanos);
    }
    if (poll) {
      pollCount++;
      polling.ran(tookNanos);
    }
    if (scan || poll) {
      scanNanos += tookNanos;
    }
  }

  private void pollTheBlind(Pass pass) {
    roots.check(pass);
    tree.polled().forEach(pass::scanAlone);
    for (FileEntry file : tree.linkedFiles()) {
      Map<PosixPath, Integer> name = new HashMap<>();
      name.put(file.name, DirtyNames.CHECK);
      pass.look(file.parent, name);
    }
  }

  private void drain() throws ErrnoException {
    eventCount += queue.drain(events);
    if (events.moves().hasOpen() && wakeUp.await(queue.fd(), FORGET_MOVE_AFTER_MILLIS)) {
      eventCount += queue.drain(events);
    }
  }

  private void lookAtDirty(Pass pass) throws ErrnoException {
    DirtyNames dirty = events.take();
    if (dirty.everything || dirty.roots) {
      roots.check(pass);
    }
    if (dirty.everything) {
      roots.scan(pass);
    }
    dirty.names.forEach(pass::look);
    dirty.directories.forEach(pass::scanAlone);
    pass.run();
  }

  /** The next look is at everything, whether or not a change was notified. Any thread. */
  public void requestScan() {
    scanRequested.set(true);
  }

  /** Makes the current or next {@link #poll} return soon. Any thread; nothing after close. */
  public void wake() throws ErrnoException {
    wakeUp.call();
  }

  /** What it looks after and has done; a snapshot. */
  public WatchStatistics statistics() {
    return new WatchStatistics(
        tree.fileCount(),
        tree.directoryCount(),
        tree.polledCount(),
        eventCount,
        events.overflows(),
        scanCount,
        pollCount,
        scanNanos);
  }

  @Override
  public void close() throws ErrnoException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      queue.close();
    } finally {
      wakeUp.close();
    }
  }
}
