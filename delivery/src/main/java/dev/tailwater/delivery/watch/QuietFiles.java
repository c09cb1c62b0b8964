package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.NameTable;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * Lets files leave memory that have nothing at risk: what is known of them is in the table of files
 * then, and they come back when the watch reports something of them. Those that were active last
 * stay. No step takes longer when there are more files. Used by the watch thread only.
 */
final class QuietFiles {
  /** How many files are looked at in one step. */
  private static final int MOST_IN_A_STEP = 2_000;

  private static final int STEP_MILLIS = 1_000;

  /** The same while there are more files than are kept. */
  private static final int HURRIED_STEP_MILLIS = 100;

  /** The same if none is kept. */
  private static final int SHORTEST_STEP_MILLIS = 5;

  private final ObserverContext context;
  private final FileRegistry registry;
  private final List<TailKeeper> keepers;
  private final NameTable names;
  private final Problems problems;
  private final FileCloser closer;
  private final Predicate<WatchedFile> isBusy;

  /** Files that may have something at risk; those that were looked at longest ago come first. */
  private final LinkedHashSet<WatchedFile> active = new LinkedHashSet<>();

  /** Files that had nothing at risk when they were looked at; those that are so longest first. */
  private final LinkedHashSet<WatchedFile> quiet = new LinkedHashSet<>();

  private long steppedAtMillis;

  /**
   * Creates an empty set.
   *
   * @param isBusy returns whether the watch has to look at the file again
   */
  QuietFiles(ObserverContext context, FileCloser closer, Predicate<WatchedFile> isBusy) {
    this.context = context;
    this.registry = context.registry();
    this.keepers = context.keepers();
    this.names = context.names();
    this.problems = context.problems();
    this.closer = closer;
    this.isBusy = isBusy;
  }

  /** Notes that something was reported of a file. */
  void seen(WatchedFile file) {
    quiet.remove(file);
    active.remove(file);
    active.add(file);
  }

  /** Notes that a file is closed for good. */
  void closed(WatchedFile file) {
    quiet.remove(file);
    active.remove(file);
  }

  /** Returns how soon {@link #step} has something to do; empty when it has nothing. */
  OptionalInt stepAfterMillis() {
    return active.isEmpty() ? OptionalInt.empty() : OptionalInt.of(stepMillis());
  }

  private int stepMillis() {
    int kept = context.settings().quietFilesInMemory();
    if (kept == 0) {
      return SHORTEST_STEP_MILLIS;
    }
    return active.size() + quiet.size() > kept ? HURRIED_STEP_MILLIS : STEP_MILLIS;
  }

  /** Looks at some files, and lets those leave memory that are quiet longest, if there are many. */
  void step() {
    long nowMillis = context.settings().clocks().millis();
    if (nowMillis - steppedAtMillis < stepMillis() && nowMillis >= steppedAtMillis) {
      return;
    }
    steppedAtMillis = nowMillis;
    for (int i = Math.min(MOST_IN_A_STEP, active.size()); i > 0; i--) {
      WatchedFile file = active.removeFirst();
      (mayLeave(file) ? quiet : active).addLast(file);
    }
    List<WatchedFile> leaving = new ArrayList<>();
    while (quiet.size() > context.settings().quietFilesInMemory()) {
      WatchedFile file = quiet.removeFirst();
      if (mayLeave(file) && claim(file)) {
        leaving.add(file);
      } else {
        active.addLast(file);
      }
    }
    if (!leaving.isEmpty()) {
      leave(leaving);
    }
  }

  private boolean mayLeave(WatchedFile file) {
    return file.hasOneName()
        && !isBusy.test(file)
        && keepers.stream().allMatch(keeper -> keeper.mayLeave(file));
  }

  private boolean claim(WatchedFile file) {
    List<TailKeeper> claimed = new ArrayList<>();
    for (TailKeeper keeper : keepers) {
      if (!keeper.tryClaimLeaving(file)) {
        claimed.forEach(other -> other.release(file));
        return false;
      }
      claimed.add(keeper);
    }
    return true;
  }

  /** Makes sure that all is in the table, and forgets the files. */
  private void leave(List<WatchedFile> files) {
    boolean saved = save(files);
    for (WatchedFile file : files) {
      if (saved && keepers.stream().allMatch(keeper -> keeper.mayLeave(file))) {
        keepers.forEach(keeper -> keeper.forget(file));
        registry.leave(file);
        closer.close(file);
      } else {
        keepers.forEach(keeper -> keeper.release(file));
        active.addLast(file);
      }
    }
  }

  private boolean save(List<WatchedFile> files) {
    Map<PosixPath, FileIdentity> byName = new LinkedHashMap<>();
    files.forEach(file -> byName.put(file.name(), file.identity()));
    try {
      names.add(byName);
    } catch (IOException e) {
      CheckpointSaver.report(problems, e);
      return false;
    }
    boolean saved = true;
    for (TailKeeper keeper : keepers) {
      saved &= keeper.saveLeaving(files);
    }
    return saved;
  }

  /**
   * Notes that a name leads to no file any more, or to another one. If its file has left memory, and
   * did not come back under another name, its streams end.
   */
  void gone(PosixPath name) {
    try {
      Optional<FileIdentity> identity = names.find(name);
      if (identity.isEmpty()) {
        return;
      }
      if (registry.find(identity.get()).isEmpty()) {
        registry.cameBack();
        for (TailKeeper keeper : keepers) {
          keeper.endAway(identity.get(), context.settings().names().archived(name));
        }
      }
      names.remove(name);
    } catch (IOException e) {
      CheckpointSaver.report(problems, e); // The next start finds out that the file is gone.
    }
  }

  /** Returns whether a file that has left memory had this name. */
  boolean isAway(PosixPath name) {
    try {
      return names.find(name).filter(file -> registry.find(file).isEmpty()).isPresent();
    } catch (IOException e) {
      CheckpointSaver.report(problems, e);
      return false;
    }
  }

  /** Notes that a name leads to a file now; returns whether it led to another that is away. */
  void named(PosixPath name, FileIdentity file) throws IOException {
    Optional<FileIdentity> before = names.find(name);
    if (before.isPresent() && !before.get().equals(file)) {
      gone(name);
    }
  }
}
