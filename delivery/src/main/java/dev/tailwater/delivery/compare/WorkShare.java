package dev.tailwater.delivery.compare;

/**
 * How long a thread must rest so that it works for no more than a stated share of the time. What it
 * has not rested yet stays owed. Not thread-safe.
 */
final class WorkShare {
  private final long restFactor;
  private final long leastRestNanos;
  private long owedNanos;

  /**
   * Creates a share of which nothing is used.
   *
   * @param part the thread works for one of so many parts of the time
   * @param leastRestNanos shorter rests are added up
   */
  WorkShare(int part, long leastRestNanos) {
    this.restFactor = part - 1L;
    this.leastRestNanos = leastRestNanos;
  }

  /** Notes that the thread has worked for so long. */
  void worked(long nanos) {
    owedNanos += nanos * restFactor;
  }

  /** Returns for how long the thread should rest before it works again; 0 if it need not yet. */
  long dueNanos() {
    return owedNanos >= leastRestNanos ? owedNanos : 0;
  }

  /** Notes that the thread has rested for so long. */
  void rested(long nanos) {
    owedNanos = Math.max(0, owedNanos - nanos);
  }
}
