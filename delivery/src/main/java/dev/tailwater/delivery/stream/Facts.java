package dev.tailwater.delivery.stream;

import dev.tailwater.posix.PosixPath;
import java.util.OptionalLong;

/**
 * What the archive must say of a stream beside its bytes, as far as it does not say it yet: that
 * there is such a fact, not which. Not thread-safe: its stream guards it.
 */
final class Facts {
  /** The last path that readers of the archive can know. */
  private PosixPath recordedPath;

  /** Whether the archive has a record of the stream beside its segments. */
  private boolean recorded;

  /** How many facts have come up. */
  private long count;

  private long describedCount;

  /** How many were known when the last one came up that nothing else tells the next run. */
  private long countToRemember;

  /** How many facts were known when the file had come back to its path. */
  private long countAtArrival;

  /** The modification time that the record of an empty file has, or will have. */
  private OptionalLong emptySinceNanos = OptionalLong.empty();

  /** Whether the archive may say of the stream that it has ended. */
  private boolean maybeCalledEnded;

  /** Whether the archive may have said of the stream whether it was changed in place. */
  private boolean maybeCalledChanged;

  /** Creates the facts of a stream of which the archive says nothing yet. */
  Facts(PosixPath birthPath) {
    this.recordedPath = birthPath;
  }

  /** Creates the facts that an earlier run knew. */
  Facts(Checkpoint checkpoint) {
    this.recordedPath = checkpoint.recorded().path();
    this.recorded = checkpoint.recorded().described();
    if (recorded) {
      this.emptySinceNanos = OptionalLong.of(checkpoint.seen().modificationTimeNanos());
    }
    if (checkpoint.ending().isPresent()) {
      calledEnded(); // Told anew if anybody asks.
    }
    if (isRenamed(checkpoint.seen().path())) {
      // Segments may have the other path in their headers, even if the file has the first one
      // again.
      comeUp();
    }
    this.maybeCalledChanged = checkpoint.changedInPlace();
    if (!checkpoint.recorded().complete()) {
      unknownRecord(); // The checkpoint does not say which facts waited.
    }
  }

  /** Notes a fact that the archive must say. */
  void comeUp() {
    count++;
    countToRemember = count;
  }

  /** Notes that the file has come back to its path: until that is said, its place is not told. */
  void cameBack() {
    countAtArrival = count;
  }

  /** Notes that the stream has ended, and the archive may be told. */
  void ended() {
    maybeCalledEnded = true;
    comeUp(); // A checkpoint has the end, but not whether it was told.
  }

  private void calledEnded() {
    maybeCalledEnded = true;
    count++;
  }

  /** Notes that bytes were changed in place, or are not any more. */
  void changedInPlace() {
    maybeCalledChanged = true;
    comeUp();
  }

  /** Returns whether readers know, or will know, of a file that is, or was, empty. */
  boolean isEverEmpty() {
    return emptySinceNanos.isPresent();
  }

  /** Returns whether the archive says, or will say, that the file has been empty since then. */
  boolean isEmptySince(long modificationTimeNanos) {
    return isEverEmpty() && emptySinceNanos.getAsLong() == modificationTimeNanos;
  }

  /**
   * Notes that the file is empty: without a record, no reader of the archive would know of it, or
   * since when.
   */
  void emptySince(long modificationTimeNanos) {
    emptySinceNanos = OptionalLong.of(modificationTimeNanos);
    // Until the record is written, a checkpoint must not say that it is.
    recorded = false;
    count++;
  }

  /** Returns whether the archive has a record of the stream beside its segments. */
  boolean isRecorded() {
    return recorded;
  }

  /** Notes that the destination holds segments with any path and mode in their headers. */
  void unknownHeaders() {
    if (!recorded) {
      comeUp(); // A record stands above headers.
    }
  }

  /** Notes that the destination holds a record with unknown content: it is written anew. */
  void unknownRecord() {
    maybeCalledEnded = true;
    maybeCalledChanged = true;
    comeUp();
  }

  /**
   * Notes what readers of the archive know.
   *
   * @param path where they expect the file
   * @param ended whether they believe that it has ended; if its file is there, they must be told
   * @param changed whether they know that bytes were changed in place
   * @param emptySince the modification time of the empty file that they know
   */
  void archiveSays(PosixPath path, boolean ended, boolean changed, OptionalLong emptySince) {
    recordedPath = path;
    recorded = true;
    if (emptySince.isPresent()) {
      emptySinceNanos = emptySince;
    }
    if (ended) {
      calledEnded();
    }
    maybeCalledChanged |= changed;
  }

  /** Notes that the archive says now what the description says. */
  void described(Description description) {
    recordedPath = description.path();
    recorded = true;
    describedCount = description.facts();
  }

  /** Returns how many facts were known until now. */
  long count() {
    return count;
  }

  /** Returns whether there is something that the archive does not say yet. */
  boolean isUndescribed(PosixPath path) {
    return count != describedCount || isRenamed(path);
  }

  /** Returns whether the archive tells where the file is, as far as it tells anything of it. */
  boolean isPlaceTold(PosixPath path) {
    return !isRenamed(path) && describedCount >= countAtArrival;
  }

  private boolean isRenamed(PosixPath path) {
    return !path.equals(recordedPath);
  }

  /** Returns what readers may believe until they are told otherwise. */
  Description.Corrections corrections(PosixPath path) {
    return new Description.Corrections(isRenamed(path), maybeCalledEnded, maybeCalledChanged);
  }

  /**
   * Returns what a checkpoint says of it.
   *
   * @param timeTold whether readers know the file's modification time
   */
  Checkpoint.Recorded recorded(boolean timeTold) {
    return new Checkpoint.Recorded(recordedPath, recorded, isComplete(), timeTold);
  }

  /** Returns whether a checkpoint tells all that the archive does not say yet. */
  boolean isComplete() {
    return describedCount >= countToRemember;
  }

  int hashOfCheckpoint() {
    int hash = recordedPath.hashCode();
    hash = 31 * hash + Boolean.hashCode(recorded);
    return 31 * hash + Boolean.hashCode(isComplete());
  }
}
