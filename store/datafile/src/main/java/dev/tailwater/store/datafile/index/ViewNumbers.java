package dev.tailwater.store.datafile.index;

import java.util.Arrays;

/** The numbers of the views of an index, from 1, and which are open. Thread-safe. */
final class ViewNumbers {
  private volatile long last;
  private volatile long newestOpen;

  /** Ascending; never changed, but replaced. */
  private volatile long[] open = {};

  synchronized long begin() {
    long number = last + 1;
    long[] more = Arrays.copyOf(open, open.length + 1);
    more[open.length] = number;
    open = more;
    newestOpen = number;
    last = number;
    return number;
  }

  synchronized void end(long number) {
    open = Arrays.stream(open).filter(other -> other != number).toArray();
    newestOpen = open.length == 0 ? 0 : open[open.length - 1];
  }

  /** Returns the highest number so far. */
  long last() {
    return last;
  }

  /** Whether a view with a higher number is open. */
  boolean isAnyAfter(long number) {
    return newestOpen > number;
  }

  /** Whether a view with a number above one and up to another is open. */
  boolean isAnyIn(long after, long upTo) {
    for (long number : open) {
      if (number > after && number <= upTo) {
        return true;
      }
    }
    return false;
  }
}
