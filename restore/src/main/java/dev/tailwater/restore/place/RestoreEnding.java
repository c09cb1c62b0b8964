package dev.tailwater.restore.place;

import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.attribute.UnsetAttributes;
import dev.tailwater.restore.attribute.UnsetOwners;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.name.TargetNames;
import dev.tailwater.restore.read.LockCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is known of a run when it is over. */
record RestoreEnding(
    ArchiveIndex index,
    TargetNames names,
    LockCheck locks,
    Optional<String> problem,
    Optional<UnsetOwners> unset,
    Optional<UnsetAttributes> unsetAttributes,
    Optional<UnsetAttributes> unsetModes,
    long unvouched,
    TreeReport tree) {
  /** Of a run that has written nothing. */
  static RestoreEnding of(ArchiveIndex index, TargetNames names, LockCheck locks, TreeReport tree) {
    return new RestoreEnding(
        index,
        names,
        locks,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        tree);
  }

  RestoreReport report(Map<ArchivedStream, RestoredStream> results) {
    List<RestoredStream> ordered = new ArrayList<>(results.size());
    for (ArchivedStream stream : index.streams()) {
      RestoredStream result = results.get(stream);
      if (result != null) {
        ordered.add(result);
      }
    }
    long complete = 0;
    long partial = 0;
    long locked = 0;
    for (RestoredStream stream : ordered) {
      switch (stream.result()) {
        case RESTORED, ALREADY_THERE -> complete++;
        case INCOMPLETE, DOUBTFUL -> partial++;
        case LOCKED -> locked++;
        case REFUSED, FAILED -> {}
      }
    }
    return new RestoreReport(
        ordered,
        names.contested(),
        locks.report(locks.isEverything() ? locks.count() : locked),
        index.foreign(),
        outcome(complete, partial, ordered.size() - complete - partial),
        problem,
        unset,
        unsetAttributes,
        unsetModes,
        unvouched,
        tree);
  }

  private Outcome outcome(long complete, long partial, long failed) {
    if (index.foundNothing()) {
      return Outcome.FAILED;
    }
    boolean atOdds =
        problem.isPresent()
            || unset.isPresent()
            || unsetAttributes.isPresent()
            || unsetModes.isPresent()
            || tree.isPartial()
            || !names.contested().isEmpty()
            || index.isMoreInPacks()
            || index.hasDamagedDrains();
    Outcome outcome = Outcome.of(complete, partial, failed);
    return outcome == Outcome.DONE && atOdds ? Outcome.PARTIAL : outcome;
  }
}
