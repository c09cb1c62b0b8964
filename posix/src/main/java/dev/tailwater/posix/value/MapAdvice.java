package dev.tailwater.posix.value;

/** Advice of madvise(2). */
public enum MapAdvice {
  /** No advice: the usual read-ahead. */
  NORMAL(0),
  /** No read-ahead. */
  RANDOM(1),
  /** More read-ahead; pages may be freed soon after they were accessed. */
  SEQUENTIAL(2),
  /** Start reading the range now, without waiting. */
  WILL_NEED(3),
  /**
   * Load every page and enter it into the page tables before the call returns (Linux 5.14 and
   * newer). Accesses cause no page faults afterwards, and a page that cannot be read is reported as
   * an errno instead of a signal.
   */
  POPULATE_READ(22);

  private final int number;

  MapAdvice(int number) {
    this.number = number;
  }

  /** Returns the MADV_ constant, which is the same on every supported architecture. */
  public int number() {
    return number;
  }
}
