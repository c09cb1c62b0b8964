package dev.tailwater.posix.value;

/** Advice of madvise(2). */
public enum MapAdvice {
  /** No advice: the usual read-ahead. */
  NORMAL(0),
  /** No read-ahead. */
  RANDOM(1),
  /** More read-ahead, and pages behind are given up early. */
  SEQUENTIAL(2),
  /** Start reading now, without waiting. */
  WILL_NEED(3),
  /**
   * Bring every page in and enter it into the page tables before the call returns (Linux 5.14 and
   * newer): no access faults afterwards, and what cannot be read is an errno and no signal.
   */
  POPULATE_READ(22);

  private final int number;

  MapAdvice(int number) {
    this.number = number;
  }

  /** MADV_ constant; the same on every architecture that is used here. */
  public int number() {
    return number;
  }
}
