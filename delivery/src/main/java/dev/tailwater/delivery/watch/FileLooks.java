package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.keeper.TailKeeper;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.posix.ErrnoException;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Looks at files for all destinations, and notes which of them were changed in place. Used by the
 * watch thread.
 */
final class FileLooks {
  private final List<TailKeeper> keepers;
  private final Problems problems;
  private final Losses losses;
  private final Consumer<WatchedFile> changed;
  private final Consumer<WatchedFile> lookedAt;

  /**
   * Creates the looks of one watch.
   *
   * @param changed takes a file of which another thing is known now, so that the archive's record
   *     of the stream is brought up to date
   * @param lookedAt takes each file that is looked at because something about it has changed
   */
  FileLooks(
      List<TailKeeper> keepers,
      Problems problems,
      Losses losses,
      Consumer<WatchedFile> changed,
      Consumer<WatchedFile> lookedAt) {
    this.keepers = keepers;
    this.problems = problems;
    this.losses = losses;
    this.changed = changed;
    this.lookedAt = lookedAt;
  }

  /** Looks at a file for each destination; one that fails does not keep the others from it. */
  void refresh(WatchedFile file) {
    for (Tail tail : file.tails()) {
      refresh(file, tail);
    }
    lookedAt.accept(file);
    noteChanges(file);
  }

  /** The same, for those destinations for which nobody has looked at it after that. */
  void refreshUnlessSeen(WatchedFile file, long nanos) {
    for (Tail tail : file.tails()) {
      if (!tail.wasLookedAtAfter(nanos)) {
        refresh(file, tail);
      }
    }
    noteChanges(file);
  }

  private void refresh(WatchedFile file, Tail tail) {
    try {
      keepers.get(tail.lane()).refresh(tail);
    } catch (ErrnoException e) {
      problems.report(file.name().toString(), e, "the file stays at risk and is tried again");
    }
  }

  /** Notes what the last looks have found out about changes in place. */
  void noteChanges(WatchedFile file) {
    noteChanges(file, file.tails());
  }

  /** The same for tails that the file has, or had until they ended. */
  void noteChanges(WatchedFile file, Collection<Tail> tails) {
    for (Tail tail : tails) {
      if (keepers.get(tail.lane()).isRequired() && tail.content().takeNewsOfChange()) {
        noteChange(file, tail);
      }
    }
  }

  private void noteChange(WatchedFile file, Tail tail) {
    if (tail.content().isChangedInPlace()) {
      losses.changed(tail.stream().id(), file.archivedName());
    } else {
      losses.unchanged(tail.stream().id());
    }
    changed.accept(file);
  }
}
