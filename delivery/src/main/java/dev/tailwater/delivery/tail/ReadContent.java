package dev.tailwater.delivery.tail;

import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.posix.value.FileStatus;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Whether a file still holds what was read of it. What is known of that is noted in the stream, so
 * that the next start knows it too. Not thread-safe: the tail's lock guards it.
 */
final class ReadContent {
  /** Longer than the steps in which any file system counts the times of files. */
  private static final long TIME_HAS_PASSED_MILLIS = TimeSteps.LONGEST_MILLIS;

  private final ReadPosition read;
  private final boolean compares;
  private InPlaceChange inPlace;

  /** How often the file was seen to have been written to in its present stream. */
  private long changes;

  /** How many of these changes were followed by a comparison of all that was read. */
  private long comparedChanges;

  /** How many of these changes were followed by the last comparison of a part. */
  private long partChanges;

  /** Where that part ended. */
  private long partBytes;

  /** How many of these changes were followed by a comparison that failed. */
  private long failedChanges = -1;

  /** How many of these changes were seen before the last reading began. */
  private long changesBeforeReading;

  /** How often reading has begun. */
  private long readings;

  /** Whether a comparison has begun, and when the last one did. */
  private boolean comparisonBegun;

  private long comparisonBegunNanos;

  private final TimeSteps timeSteps = new TimeSteps();

  /**
   * Whether the last comparison that has begun did so soon after a write that a later one may have
   * left the file's time as it was: no look tells of that.
   */
  private boolean mayBeWrittenUnseen;

  /** Whether some of the file may have been read, although the position is still 0. */
  private boolean begun;

  private boolean reportedChanged;

  /**
   * Creates it as the stream knows it from an earlier run.
   *
   * @param compares whether what was read is compared with the file once it was written to;
   *     otherwise changes in place are reported, and not delivered
   */
  ReadContent(ReadPosition read, boolean compares) {
    this.read = read;
    this.compares = compares;
    this.inPlace = sinceCheckpoint(read.stream());
    beginCounting(isUncompared(read.stream()));
  }

  /** Returns what tells whether a file was changed since its checkpoint was saved. */
  private static InPlaceChange sinceCheckpoint(StreamProgress saved) {
    InPlaceChange change =
        new InPlaceChange(
            saved.timeOfDurableBytes(), saved.isChangedInPlace(), saved.isSuspected());
    boolean remembered = !saved.blocks().hasUnknown(saved.durableBytes());
    return remembered ? change : change.unwatched();
  }

  private static boolean isUncompared(StreamProgress stream) {
    return stream.isUncompared() || stream.isChangedInPlace();
  }

  private void beginCounting(boolean uncompared) {
    changes = uncompared ? 1 : 0;
    comparedChanges = 0;
    partChanges = 0;
    partBytes = 0;
    failedChanges = -1;
    changesBeforeReading = 0;
    mayBeWrittenUnseen = false;
  }

  /** Notes that the position is in another stream now, which the destination knows. */
  void identified() {
    StreamProgress known = read.stream();
    inPlace =
        known.timeOfDurableBytes().isPresent()
            ? sinceCheckpoint(known)
            : new InPlaceChange(
                inPlace.modificationTimeNanos(),
                known.isChangedInPlace(),
                known.isSuspected() || inPlace.isPossible());
    beginCounting(isUncompared(known));
  }

  /** Notes that the position was checked: where nothing was delivered, nothing was replaced. */
  void resumed() {
    if (read.bytes() == 0) {
      inPlace.settled();
      read.stream().suspected(false);
    }
  }

  /** Notes that the position is at the beginning of the stream that follows a truncation. */
  void beginStream(FileStatus status) {
    inPlace = new InPlaceChange(OptionalLong.of(status.modificationTimeNanos()), false, false);
    beginCounting(true);
    begun = true;
    reportedChanged = false;
  }

  /** Notes that reading begins: changes from now on may come after it. */
  void readingBegins() {
    begun = true;
    readings++;
    changesBeforeReading = changes;
  }

  long readings() {
    return readings;
  }

  /**
   * Notes that a comparison begins, and returns how many of the {@link #changes} it can vouch for:
   * what was read, but not handed over yet, is not compared, and may be older than the others.
   *
   * @param idleAtReadings the number of {@link #readings} at a moment when all that had been read
   *     was handed over; empty when there was none
   */
  long comparisonBegins(OptionalLong idleAtReadings, long nowNanos) {
    comparisonBegun = true;
    comparisonBegunNanos = nowNanos;
    return idleAtReadings.equals(OptionalLong.of(readings)) ? changes : changesBeforeReading;
  }

  /** Returns whether a comparison has begun since. */
  boolean hasComparisonBegunSince(long nanos) {
    return comparisonBegun && comparisonBegunNanos - nanos >= 0;
  }

  /** Notes that another destination's worker has read from the position; a change may follow. */
  void wasReadElsewhere() {
    if (!begun && compares) {
      begun = true;
      changed();
    }
  }

  /** Has the next checkpoint say that the file was written to, until that is compared. */
  void written() {
    if (compares) {
      read.stream().uncompared(true);
    }
  }

  /**
   * Takes in a look at a file that has not shrunk.
   *
   * @param grown whether the file has grown since the look before
   * @param sameBeforePosition whether the bytes right before the position are known to be those
   *     that were read
   * @return whether the file was written to since the look before
   */
  boolean look(FileStatus status, boolean grown, boolean sameBeforePosition, long nowNanos) {
    boolean written = grown || isModified(status);
    inPlace.look(
        new InPlaceChange.Look(
            status.modificationTimeNanos(),
            grown,
            read.mayHaveRead(),
            sameBeforePosition,
            read.mayHaveReadBeforeMarker(),
            nowNanos));
    read.stream().suspected(inPlace.isPossible());
    if (!compares) {
      read.stream().changedInPlace(inPlace.isConfirmed());
    } else if (written) {
      changed();
    }
    return written;
  }

  /**
   * Needs no comparison if all of the file will be read after its last change: the time of any
   * later change is another one.
   */
  void settleIfReadLater(FileStatus status, long nowMillis) {
    boolean timeHasPassed =
        nowMillis - TimeUnit.NANOSECONDS.toMillis(status.modificationTimeNanos())
            >= TIME_HAS_PASSED_MILLIS;
    if (timeHasPassed && !begun && read.isCertainlyAtBegin()) {
      comparedChanges = changes;
      read.stream().uncompared(false);
    }
  }

  /**
   * Takes in a look before a comparison reads anything, and returns whether a write after it may
   * leave the file's time as it is.
   */
  boolean mayRepeatTime(FileStatus status, long nowMillis, long nowNanos) {
    mayBeWrittenUnseen = timeSteps.mayRepeat(status, nowMillis, nowNanos);
    return mayBeWrittenUnseen;
  }

  /** Has all that was read compared once more, if no look tells whether it was written to since. */
  void compareIfWrittenUnseen() {
    if (mayBeWrittenUnseen) {
      changed();
    }
  }

  /** Has all that was read compared. */
  void changed() {
    changes++;
    mayBeWrittenUnseen = false;
    read.stream().uncompared(true);
  }

  /** Returns whether a comparison is to come that begins after so many changes. */
  boolean awaitsComparison(long untilChanges) {
    return lacksComparison(untilChanges) && failedChanges < Math.min(untilChanges, changes);
  }

  /** Returns whether none has begun after so many changes and been completed. */
  private boolean lacksComparison(long untilChanges) {
    return compares && read.bytes() > 0 && comparedChanges < Math.min(untilChanges, changes);
  }

  /** The same of the bytes before an offset. */
  boolean awaitsComparison(long untilChanges, long untilBytes) {
    return awaitsComparison(untilChanges) && !isPartCompared(untilChanges, untilBytes);
  }

  /** Returns whether no such comparison has reached the offset, be one to come or not. */
  boolean lacksComparison(long untilChanges, long untilBytes) {
    return lacksComparison(untilChanges) && !isPartCompared(untilChanges, untilBytes);
  }

  private boolean isPartCompared(long untilChanges, long untilBytes) {
    return partChanges >= untilChanges && partBytes >= untilBytes;
  }

  long changes() {
    return changes;
  }

  /**
   * Notes that all that is durable was compared with the file.
   *
   * @param changesAtBegin the number of {@link #changes} before anything was read
   * @param undeliverable whether it differs where nothing can be delivered
   */
  void compared(long changesAtBegin, boolean undeliverable) {
    comparedChanges = Math.max(comparedChanges, changesAtBegin);
    if (comparedChanges == changes) {
      inPlace.settled();
      read.stream().uncompared(mayBeWrittenUnseen); // Then the next start compares it, too.
      read.stream().suspected(false);
    }
    read.stream().changedInPlace(undeliverable);
  }

  /**
   * Has the file compared once more by whoever asks for all that was written, or by the next start,
   * unless that is done before: more may be stored through a mapping without another sign until the
   * pages are written back.
   */
  void comparedBeforeWriteBack() {
    if (comparedChanges == changes) {
      if (!mayBeWrittenUnseen) { // Else a write that leaves the time as it is may be missed.
        read.stream().comparesOnceMore();
      }
      mayBeWrittenUnseen = true;
      inPlace.unexplained();
      read.stream().suspected(true);
    }
  }

  /**
   * Notes that the bytes before an offset were compared with the file, since not all was durable.
   *
   * @param changesAtBegin the number of {@link #changes} before anything was read
   * @param undeliverable whether they differ where nothing can be delivered
   */
  void partCompared(long changesAtBegin, long untilBytes, boolean undeliverable) {
    if (changesAtBegin >= partChanges) {
      partChanges = changesAtBegin;
      partBytes = untilBytes;
    }
    if (undeliverable) {
      read.stream().changedInPlace(true);
    }
  }

  /**
   * Notes that the file could not be compared. It lacks a comparison from then on, also if it was
   * compared before and the failed one was to find what was stored without a sign: the file may be
   * closed before it is tried again, and is opened for that then.
   *
   * @return whether it was compared before, so that the stream says something new
   */
  boolean comparisonFailed(long changesAtBegin) {
    boolean sawAllChanges = changesAtBegin == changes;
    boolean wasCompared = comparedChanges == changes;
    if (wasCompared) {
      changed();
    }
    failedChanges = Math.max(failedChanges, sawAllChanges ? changes : changesAtBegin);
    return wasCompared;
  }

  /** Returns whether what was read is what the file holds, and new bytes of it are durable. */
  boolean isCompared() {
    boolean all = read.bytes() == 0 || comparedChanges == changes;
    return !compares || (all && !read.stream().blocks().isRevising());
  }

  /**
   * Returns whether the file holds what was read of it since it was last written to. A worker finds
   * that out of a short file, of which the bytes before the position are all.
   */
  boolean holdsWhatWasRead() {
    boolean shortAndSame = !mayBeChanged() && !read.mayHaveReadBeforeMarker();
    return (isCompared() && !isSuspectedOfChange()) || shortAndSame;
  }

  /** Returns whether checksums of what was delivered are lost, and can be learnt. */
  boolean hasUnknown() {
    StreamProgress stream = read.stream();
    return compares
        && read.isResumed()
        && !stream.isChangedInPlace()
        && stream.blocks().hasUnknown(Math.min(read.bytes(), stream.durableBytes()));
  }

  /** Returns whether it is compared, and every checksum that can be known is known. */
  boolean isFullyCompared() {
    return isCompared() && !hasUnknown();
  }

  /** Returns whether the stream says all that is known of it. */
  boolean mayLeave() {
    return isFullyCompared() && !isSuspectedOfChange() && !isKnownToBeChanged();
  }

  /** Returns whether another look must tell a change in place from an append that is under way. */
  boolean isSuspectedOfChange() {
    return inPlace.isSuspected();
  }

  /** Returns whether the looks at the file tell of a change in place, or soon will. */
  boolean looksChanged() {
    return inPlace.isSuspected() || inPlace.isConfirmed();
  }

  /** Returns whether it is certain that bytes which were read have been replaced. */
  boolean isKnownToBeChanged() {
    return inPlace.isConfirmed() || read.stream().isChangedInPlace();
  }

  /** Returns whether bytes that were read may have been replaced, as far as looks tell. */
  boolean mayBeChanged() {
    return inPlace.isPossible() || read.stream().isChangedInPlace();
  }

  /** Returns whether bytes that were read may have been replaced until the file was like that. */
  boolean mayBeChanged(FileStatus now, boolean grown) {
    return (!grown && !wasSeenWith(now)) || mayBeChanged();
  }

  /** Returns whether the file was last seen with this modification time. */
  boolean wasSeenWith(FileStatus status) {
    return inPlace.hadTime(status.modificationTimeNanos());
  }

  /** Returns whether the file was seen before, and with another modification time. */
  boolean isModified(FileStatus status) {
    return inPlace.hadOtherTime(status.modificationTimeNanos());
  }

  /** Returns whether the change is another one than that which is reported. */
  boolean hasNewsOfChange() {
    return reportedChanged != read.stream().isChangedInPlace();
  }

  /** Returns whether the change that is reported is another than at the call before. */
  boolean takeNewsOfChange() {
    boolean before = reportedChanged;
    reportedChanged = read.stream().isChangedInPlace();
    return before != reportedChanged;
  }
}
