package dev.tailwater.io.watch.event;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Directories in which so much is written that asking each file costs less than reading what is
 * told: several events for each file within the longest tick. There the kernel is asked to tell
 * only what happens to names, and the files are polled once a longest tick, until most of them are
 * found unchanged. So nothing is told later than the longest tick in any case. For one thread.
 */
public final class HotDirectories {
  /** Reading as many events costs about what one statx(2) does. */
  private static final int EVENTS_PER_FILE = 3;

  /** Below that many events in a longest tick nothing is worth the trouble. */
  private static final int LEAST_EVENTS = 512;

  /** Cools down when fewer than one in so many files was found written, twice. */
  private static final int COLD_SHARE = 4;

  private final LongSupplier nanoClock;
  private final boolean enabled;
  private final long windowNanos;
  private final Schedule polls;
  private final Set<DirectoryNode> written = new LinkedHashSet<>();
  private final Set<DirectoryNode> hot = new LinkedHashSet<>();
  private final Set<DirectoryNode> lukewarm = new LinkedHashSet<>();
  private long windowBeganNanos;
  private long windowEvents;

  /**
   * @param periodMillis the longest tick
   * @param enabled false when the tick is fixed: nothing ever gets hot
   */
  public HotDirectories(LongSupplier nanoClock, long periodMillis, boolean enabled) {
    this.nanoClock = nanoClock;
    this.enabled = enabled;
    this.windowNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(1, periodMillis));
    this.polls = new Schedule(nanoClock, Math.max(1, periodMillis));
  }

  /** An event told of writing in the directory. */
  void wrote(DirectoryNode node) {
    if (!enabled) {
      return;
    }
    if (windowEvents++ == 0) {
      windowBeganNanos = nanoClock.getAsLong();
    }
    if (node.writes++ == 0) {
      written.add(node);
    }
  }

  /**
   * To be asked when events have been read: which directories have got hot. Their files are to be
   * looked at, at once and then whenever polling is {@linkplain #due due}.
   */
  public List<DirectoryNode> heated() {
    long elapsedNanos = nanoClock.getAsLong() - windowBeganNanos;
    if (windowEvents == 0 || elapsedNanos < windowNanos) {
      return List.of();
    }
    List<DirectoryNode> heated = new ArrayList<>(0);
    double periods = (double) elapsedNanos / windowNanos;
    boolean flood = windowEvents >= LEAST_EVENTS * periods;
    for (DirectoryNode node : written) {
      int files = Math.max(1, node.files.size());
      if (flood && node.writes >= EVENTS_PER_FILE * files * periods && isSilenceable(node)) {
        node.filesPolled = true;
        heated.add(node);
      }
      node.writes = 0;
    }
    written.clear();
    windowEvents = 0;
    hot.addAll(heated);
    return heated;
  }

  /** fanotify merges what happens to a name by itself. */
  private static boolean isSilenceable(DirectoryNode node) {
    return node.source instanceof InotifySource && !node.filesPolled && !node.restricted;
  }

  public boolean any() {
    return !hot.isEmpty();
  }

  public int count() {
    return hot.size();
  }

  public boolean due() {
    return any() && polls.due();
  }

  public long millisLeft() {
    return polls.millisLeft();
  }

  /** The directories whose files are to be polled now; a copy. */
  public List<DirectoryNode> toPoll() {
    for (DirectoryNode node : List.copyOf(hot)) {
      if (node.lost || !(node.source instanceof InotifySource)) {
        node.filesPolled = false;
        forget(node);
      }
      node.filesFoundWritten = 0;
    }
    return new ArrayList<>(hot);
  }

  /** The files of those directories were looked at. */
  public void polled(List<DirectoryNode> nodes, long tookNanos) {
    polls.ran(tookNanos);
    for (DirectoryNode node : nodes) {
      if (!node.filesPolled) {
        // Told of again since just before this look, unless the kernel refused: then once more.
        if (!node.writesSilent) {
          forget(node);
        }
      } else if (isStillHot(node)) {
        lukewarm.remove(node);
      } else if (!lukewarm.add(node)) {
        node.filesPolled = false;
      }
    }
  }

  private static boolean isStillHot(DirectoryNode node) {
    return node.filesFoundWritten > 0 && node.filesFoundWritten * COLD_SHARE >= node.files.size();
  }

  private void forget(DirectoryNode node) {
    hot.remove(node);
    lukewarm.remove(node);
  }
}
