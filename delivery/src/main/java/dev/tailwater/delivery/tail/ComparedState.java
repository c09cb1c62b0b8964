package dev.tailwater.delivery.tail;

/**
 * Which changes of a file were followed by a comparison of all that was read of it. Not
 * thread-safe: its tail guards it.
 */
final class ComparedState {
  private long changes;
  private long compared;
  private long failed = -1;

  /** Creates a state in which all changes until now are compared, or one of them is not. */
  ComparedState(boolean uncompared) {
    this.changes = uncompared ? 1 : 0;
  }

  /** Notes that the file was written to. */
  void changed() {
    changes++;
  }

  /** Returns the number of changes until now. */
  long changes() {
    return changes;
  }

  /** Notes that a comparison is complete that began after so many changes. */
  void compared(long changesAtBegin) {
    compared = Math.max(compared, changesAtBegin);
  }

  /** Notes that comparing failed after so many changes. */
  void failed(long changesAtBegin) {
    failed = Math.max(failed, changesAtBegin);
  }

  /** Returns how many changes were followed by a comparison. */
  long comparedChanges() {
    return compared;
  }

  boolean isCompared() {
    return compared == changes;
  }

  /** Returns whether a comparison that will follow is worth waiting for. */
  boolean isPending(long untilChanges) {
    return compared < untilChanges && failed < untilChanges;
  }
}
