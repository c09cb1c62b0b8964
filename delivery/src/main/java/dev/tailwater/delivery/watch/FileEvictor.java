package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.tail.WatchedFile;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * Lets {@link QuietFiles} leave memory when there are many. Those that were active last stay. No
 * step takes longer when there are more files. Used by the watch thread only.
 */
final class FileEvictor {
  /** How many files are looked at in one step. */
  private static final int MOST_IN_A_STEP = 8_192;

  /** The time between two steps while there are more files than stay, and at the most. */
  private static final int MIN_STEP_MILLIS = 100;

  private static final int MAX_STEP_MILLIS = 60_000;

  /** The shortest time between two steps where no quiet file stays. */
  private static final int EAGER_STEP_MILLIS = 5;

  private final QuietFiles quietFiles;
  private final ObserverSettings settings;
  private final Predicate<WatchedFile> isBusy;

  /** Files that may have something at risk; those that were looked at longest ago come first. */
  private final LinkedHashSet<WatchedFile> active = new LinkedHashSet<>();

  /** Files that had nothing at risk when they were looked at; those that are so longest first. */
  private final LinkedHashSet<WatchedFile> quiet = new LinkedHashSet<>();

  private long steppedAtNanos;
  private int stepMillis = MIN_STEP_MILLIS;

  /**
   * Creates one without files.
   *
   * @param isBusy returns whether the watch has to look at the file again by itself
   */
  FileEvictor(QuietFiles quietFiles, ObserverSettings settings, Predicate<WatchedFile> isBusy) {
    this.quietFiles = quietFiles;
    this.settings = settings;
    this.isBusy = isBusy;
    this.steppedAtNanos = settings.clocks().nanos();
  }

  /** Notes that something was reported of a file in memory. */
  void seen(WatchedFile file) {
    quiet.remove(file);
    active.remove(file);
    active.add(file);
    stepMillis = minStepMillis();
  }

  private int minStepMillis() {
    return settings.filesInMemory() == 0 ? EAGER_STEP_MILLIS : MIN_STEP_MILLIS;
  }

  /** Notes that a file is closed for good. */
  void closed(WatchedFile file) {
    quiet.remove(file);
    active.remove(file);
  }

  /** Returns how soon {@link #step} has something to do; empty when it has nothing. */
  OptionalInt stepAfterMillis() {
    return isCrowded() && !active.isEmpty() ? OptionalInt.of(stepMillis) : OptionalInt.empty();
  }

  private boolean isCrowded() {
    return active.size() + quiet.size() > settings.filesInMemory();
  }

  /** Looks at some files if it is time, and lets those leave that are quiet longest. */
  void step() {
    if (!isCrowded() || settings.clocks().nanos() - steppedAtNanos < stepMillis * 1_000_000L) {
      return;
    }
    work();
  }

  /** Lets files leave at once, since others need their memory. */
  void makeRoom() {
    if (active.size() + quiet.size() > settings.filesInMemory()) {
      work();
    }
  }

  private void work() {
    boolean any = sort();
    any |= leave();
    // Files that are never quiet, as those with several names, are asked less and less often.
    stepMillis = any ? minStepMillis() : Math.min(MAX_STEP_MILLIS, 2 * stepMillis);
    steppedAtNanos = settings.clocks().nanos();
  }

  private boolean sort() {
    boolean any = false;
    for (int i = Math.min(MOST_IN_A_STEP, active.size()); i > 0; i--) {
      WatchedFile file = active.removeFirst();
      boolean isQuiet = mayLeave(file);
      (isQuiet ? quiet : active).addLast(file);
      any |= isQuiet;
    }
    return any;
  }

  private boolean leave() {
    List<WatchedFile> leaving = new ArrayList<>();
    while (!quiet.isEmpty()
        && leaving.size() < MOST_IN_A_STEP
        && active.size() + quiet.size() > settings.filesInMemory()) {
      WatchedFile file = quiet.removeFirst();
      if (mayLeave(file)) {
        leaving.add(file);
      } else {
        active.addLast(file);
      }
    }
    if (leaving.isEmpty()) {
      return false;
    }
    List<WatchedFile> staying = quietFiles.leave(leaving);
    active.addAll(staying);
    return staying.size() < leaving.size();
  }

  private boolean mayLeave(WatchedFile file) {
    return !isBusy.test(file) && quietFiles.mayLeave(file);
  }
}
