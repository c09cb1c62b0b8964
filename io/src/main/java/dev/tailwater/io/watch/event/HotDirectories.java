package dev.tailwater.io.watch.event;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The directories with so many writes that polling each file costs less than reading the events:
 * several events for each file within the longest tick. There the kernel reports only changes of
 * names, and the watch polls the files once per longest tick until most of them are unchanged. So
 * no change is reported later than after the longest tick. For one thread.
 */
public final class HotDirectories {
  /** Reading as many events costs about what one statx(2) does. */
  private static final int EVENTS_PER_FILE = 3;

  /** With fewer events in a longest tick, polling would save nothing. */
  private static final int LEAST_EVENTS = 512;

  /** A directory cools down if less than this fraction of its files was written, twice in a row. */
  private static final int COLD_SHARE = 4;

  private final LongSupplier nanoClock;
  private final boolean enabled;
  private final long windowNanos;
  private final Schedule polls;
  private final Set<DirectoryNode> written = new LinkedHashSet<>();
  private final Set<DirectoryNode> hot = new LinkedHashSet<>();
  private final Set<DirectoryNode> cooling = new LinkedHashSet<>();
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

  /** Counts a write event in the directory. */
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
   * Returns the directories that have become hot; called after events were read. The caller looks
   * at their files at once and then whenever polling is {@linkplain #due due}.
   */
  public List<DirectoryNode> newlyHot() {
    long elapsedNanos = nanoClock.getAsLong() - windowBeganNanos;
    if (windowEvents == 0 || elapsedNanos < windowNanos) {
      return List.of();
    }
    List<DirectoryNode> newlyHot = new ArrayList<>(0);
    double periods = (double) elapsedNanos / windowNanos;
    boolean flood = windowEvents >= LEAST_EVENTS * periods;
    for (DirectoryNode node : written) {
      int files = Math.max(1, node.files.size());
      if (flood
          && node.writes >= EVENTS_PER_FILE * files * periods
          && canTurnWriteEventsOff(node)) {
        node.filesPolled = true;
        newlyHot.add(node);
      }
      node.writes = 0;
    }
    written.clear();
    windowEvents = 0;
    hot.addAll(newlyHot);
    return newlyHot;
  }

  private static boolean canTurnWriteEventsOff(DirectoryNode node) {
    return canOmitWrites(node) && !node.filesPolled && !node.restricted;
  }

  private static boolean canOmitWrites(DirectoryNode node) {
    return node.source != null && node.source.canOmitWrites();
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
      if (node.lost || !canOmitWrites(node)) {
        node.filesPolled = false;
        forget(node);
      }
      node.filesFoundWritten = 0;
    }
    return new ArrayList<>(hot);
  }

  /** Records that the files of these directories were looked at. */
  public void polled(List<DirectoryNode> nodes, long tookNanos) {
    polls.ran(tookNanos);
    for (DirectoryNode node : nodes) {
      if (!node.filesPolled) {
        // Write events are on again since just before this look; if the kernel refused, poll again.
        if (!node.writeEventsOff) {
          forget(node);
        }
      } else if (isStillHot(node)) {
        cooling.remove(node);
      } else if (!cooling.add(node)) {
        node.filesPolled = false;
      }
    }
  }

  private static boolean isStillHot(DirectoryNode node) {
    return node.filesFoundWritten > 0 && node.filesFoundWritten * COLD_SHARE >= node.files.size();
  }

  private void forget(DirectoryNode node) {
    hot.remove(node);
    cooling.remove(node);
  }
}
