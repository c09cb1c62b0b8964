package dev.tailwater.delivery.tail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.posix.value.FileStatus;

/**
 * Whether the file of a tail holds what was read of it, for those who wait until that is known: it
 * is compared, or looked at again, or was changed in place. Whoever compares tells the {@link Tail}
 * what it finds. Thread-safe: it has the tail's lock.
 */
public final class TailContent {
  private final Tail tail;

  @GuardedBy("tail")
  private final ReadPosition read;

  @GuardedBy("tail")
  private final ReadContent content;

  TailContent(Tail tail, ReadPosition read, ReadContent content) {
    this.tail = tail;
    this.read = read;
    this.content = content;
  }

  /**
   * Returns whether what was read was compared with the file after its last {@linkplain
   * Tail#changes change}, and what was replaced is durable; also true if nothing was read, or files
   * are not compared.
   */
  public boolean isCompared() {
    synchronized (tail) {
      return content.isCompared();
    }
  }

  /**
   * Returns whether the file {@link #isCompared}, and no checksum of it {@link Tail#hasUnknown}.
   */
  public boolean isFullyCompared() {
    synchronized (tail) {
      return content.isFullyCompared();
    }
  }

  /**
   * Takes in a look before a comparison reads anything, and returns whether a write after it may
   * leave the file's time as it is, since the file system counts times in steps.
   *
   * @param of the stream that is compared
   */
  public boolean mayRepeatTime(
      StreamProgress of, FileStatus status, long nowMillis, long nowNanos) {
    synchronized (tail) {
      return read.stream() == of && content.mayRepeatTime(status, nowMillis, nowNanos);
    }
  }

  /**
   * Has the file compared once more, if the last comparison began so soon after a write that a
   * later one {@linkplain #mayRepeatTime may} have left its time as it was. For who waits for all
   * that was written by now.
   */
  public void compareIfWrittenUnseen() {
    synchronized (tail) {
      if (!tail.isEnded() && tail.file().isOpen()) {
        content.compareIfWrittenUnseen();
      }
    }
  }

  /** Returns what is to be compared for somebody who wants all that was seen by now. */
  public ComparisonAim aim() {
    synchronized (tail) {
      return new ComparisonAim(read.stream(), content.changes(), tail.observedBytes());
    }
  }

  /** Returns whether a comparison is to come. */
  public boolean awaitsComparison() {
    synchronized (tail) {
      return awaitsComparison(content.changes());
    }
  }

  /** Returns whether a comparison is to come that begins after so many changes. */
  @GuardedBy("tail")
  private boolean awaitsComparison(long untilChanges) {
    return !tail.isEnded() && tail.file().isOpen() && content.awaitsComparison(untilChanges);
  }

  /** Returns whether a comparison is to come that reaches this aim. */
  public boolean awaitsComparison(ComparisonAim aim) {
    synchronized (tail) {
      return awaitsComparison(aim.changes())
          && (read.stream() != aim.stream()
              || content.awaitsComparison(aim.changes(), aim.untilBytes()));
    }
  }

  /** Returns whether what was read is not compared as it was seen last. */
  public boolean lacksComparison() {
    synchronized (tail) {
      return lacksComparison(aim());
    }
  }

  /**
   * Returns whether no comparison has reached this aim, be one to come or not: the last one may
   * have failed, and a file may have been closed before.
   */
  public boolean lacksComparison(ComparisonAim aim) {
    synchronized (tail) {
      return !tail.isEnded()
          && read.stream() == aim.stream()
          && content.lacksComparison(aim.changes(), aim.untilBytes());
    }
  }

  /**
   * Returns whether it {@linkplain Tail#mayBeChanged() may be changed}, and another look must tell
   * that from an append that is under way.
   */
  public boolean isSuspectedOfChange() {
    synchronized (tail) {
      return !tail.isEnded() && content.isSuspectedOfChange();
    }
  }

  /**
   * Returns whether it {@linkplain #isSuspectedOfChange is suspected} of a change, and all that is
   * needed is that look: no truncation is suspected.
   */
  public boolean needsOnlyALook() {
    synchronized (tail) {
      return isSuspectedOfChange() && !tail.mayBeTruncated();
    }
  }

  /**
   * Returns whether the file {@link #isCompared}, and is not {@linkplain #isSuspectedOfChange
   * suspected} of a change since. What was found is said by {@link #isChangedInPlace}.
   */
  public boolean isSettled() {
    synchronized (tail) {
      return isCompared() && !isSuspectedOfChange();
    }
  }

  /** Returns whether the file {@link #isSettled}, and was last seen with this status. */
  public boolean isUnchangedSince(FileStatus status) {
    synchronized (tail) {
      // Of one that is empty and closed, nobody knows a time: it has no bytes that were delivered.
      boolean isEmpty = read.bytes() == 0 && status.sizeBytes() == 0;
      return (isEmpty || content.wasSeenWith(status)) && isSettled();
    }
  }

  /**
   * Returns whether it {@linkplain Tail#isKnownToBeChanged is known to be changed}, and the new
   * bytes are never delivered.
   */
  public boolean isChangedInPlace() {
    synchronized (tail) {
      return read.stream().isChangedInPlace();
    }
  }

  /** Returns whether {@link #takeNewsOfChange} has news. */
  public boolean hasNewsOfChange() {
    synchronized (tail) {
      return content.hasNewsOfChange();
    }
  }

  /**
   * Returns whether {@link #isChangedInPlace} has changed since this was called last; initially it
   * is false.
   */
  public boolean takeNewsOfChange() {
    synchronized (tail) {
      return content.takeNewsOfChange();
    }
  }
}
