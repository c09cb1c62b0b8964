package dev.tailwater.delivery.compare;

/** Why a tail is to be compared; what comes first is more important. */
enum ComparisonReason {
  WANTED,
  CHANGED,
  /** A comparison failed, or was cut short. */
  AGAIN,
  GROWN,
  /** It may have been written to after a comparison, and have kept its time. */
  WRITTEN_UNSEEN,
  WRITTEN_BACK,
  /** It need not be: the archive is to be told of the file's time, and not at once. */
  TIME_UNTOLD;

  /** Returns whether bytes are known that were not compared. */
  boolean isForBytes() {
    return compareTo(GROWN) <= 0;
  }
}
