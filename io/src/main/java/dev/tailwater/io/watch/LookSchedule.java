package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.HotDirectories;
import dev.tailwater.io.watch.event.Schedule;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/** When the next look is due, and what it is for. For one thread, but for {@link #requestScan}. */
final class LookSchedule {
  /**
   * What a look is for, beside the events that there are.
   *
   * @param number greater than that of every look before; at least 1
   * @param scan whether it scans everything
   * @param poll whether it looks at what nobody reports; a scan does so anyway
   */
  record Purpose(long number, boolean scan, boolean poll) {}

  private final WatchTree tree;
  private final Roots roots;
  private final HotDirectories hot;
  private final Schedule reconcile;
  private final Schedule polling;

  /** Whether the next look is to scan everything, as the first one does. */
  private final AtomicBoolean scanRequested = new AtomicBoolean(true);

  private long looks;
  private long scans;
  private long polls;
  private long hotPolls;
  private long nanos;

  LookSchedule(
      LongSupplier nanoClock,
      WatchOptions options,
      WatchTree tree,
      Roots roots,
      HotDirectories hot) {
    this.tree = tree;
    this.roots = roots;
    this.hot = hot;
    this.reconcile = new Schedule(nanoClock, options.reconcileMillis());
    this.polling = new Schedule(nanoClock, options.pollMillis());
  }

  /** Makes the next look that begins scan everything. For any thread. */
  void requestScan() {
    scanRequested.set(true);
  }

  /** Returns whether a scan is requested and has not begun. */
  boolean isScanRequested() {
    return scanRequested.get();
  }

  /** Returns whether no look has begun. */
  boolean isFirst() {
    return looks == 0;
  }

  /**
   * Returns how long to wait for events until something is due without them.
   *
   * @param mayScan false while a look is under way, and waits: no scan can begin then, however long
   *     it has been due
   */
  long millisLeft(boolean mayScan) {
    long left = mayScan ? reconcile.millisLeft() : Long.MAX_VALUE;
    if (anythingToPoll() || (mayScan && tree.names().hasRoomForLeftOut())) {
      left = Math.min(left, polling.millisLeft());
    }
    return hot.any() ? Math.min(left, hot.millisLeft()) : left;
  }

  /** Returns what the look is for that is to begin now; empty if nothing is due. */
  Optional<Purpose> begin(boolean eventsReady) {
    boolean retake = tree.names().hasRoomForLeftOut() && polling.due();
    boolean scan = scanRequested.getAndSet(false) || reconcile.due() || retake;
    boolean poll = !scan && isPollDue();
    return eventsReady || scan || poll || hot.due()
        ? Optional.of(new Purpose(++looks, scan, poll))
        : Optional.empty();
  }

  /** Returns whether to look at what nobody reports. */
  boolean isPollDue() {
    return anythingToPoll() && polling.due();
  }

  private boolean anythingToPoll() {
    return tree.anythingToPoll() || roots.anyToLookFor();
  }

  /** Records that a look that waits has polled. */
  void polled(long tookNanos) {
    polling.ran(tookNanos);
  }

  /** Records that the files of hot directories were looked at. */
  void polledHot(List<DirectoryNode> directories, long tookNanos) {
    hotPolls++;
    hot.polled(directories, tookNanos);
  }

  /** Records time that was spent on looks without being told where. */
  void spent(long tookNanos) {
    nanos += tookNanos;
  }

  /** Records that all was done that a look is for. */
  void ended(Purpose purpose, long tookNanos) {
    if (purpose.scan()) {
      scans++;
      reconcile.ran(tookNanos);
    }
    if (purpose.poll()) {
      polls++;
    }
    if (purpose.scan() || purpose.poll()) {
      // The first one also loads classes and cold directories: it says nothing of the next.
      polling.ran(purpose.number() == 1 ? 0 : tookNanos);
    }
  }

  /** Returns the number of complete scans. */
  long scans() {
    return scans;
  }

  /** Returns how often what nobody reports was looked at, without a scan. */
  long polls() {
    return polls;
  }

  /** Returns how often the files of hot directories were looked at. */
  long hotPolls() {
    return hotPolls;
  }

  /** Returns the time that was spent on looks without being told where. */
  long nanos() {
    return nanos;
  }
}
