package dev.tailwater.delivery.sums;

import java.util.Arrays;

/**
 * A set of numbers from 0 on, as the ranges without a gap that it is made of: mostly one, however
 * many numbers that is. Not thread-safe.
 */
final class NumberRanges {
  /** Where the ranges begin and end, in turn and in order. */
  private int[] bounds = new int[2];

  private int count;

  boolean contains(int number) {
    return boundsUpTo(number) % 2 == 1;
  }

  void addRange(int from, int to) {
    replace(from, to, true);
  }

  void removeRange(int from, int to) {
    replace(from, to, false);
  }

  /** Has the numbers of a range in the set, or none of them. */
  private void replace(int from, int to, boolean contained) {
    if (from >= to) {
      return;
    }
    // A bound at either end is given up: it is set again if there is one still.
    int begin = boundsUpTo(from - 1);
    int end = boundsUpTo(to);
    boolean before = begin % 2 == 1;
    boolean after = end % 2 == 1;
    int added = (before == contained ? 0 : 1) + (after == contained ? 0 : 1);
    int newCount = begin + added + count - end;
    if (newCount > bounds.length) {
      bounds = Arrays.copyOf(bounds, Math.max(newCount, 2 * bounds.length));
    }
    System.arraycopy(bounds, end, bounds, begin + added, count - end);
    if (before != contained) {
      bounds[begin++] = from;
    }
    if (after != contained) {
      bounds[begin] = to;
    }
    count = newCount;
  }

  /** Returns how many bounds are at a number or before it: odd inside a range. */
  private int boundsUpTo(int number) {
    if (count > 0 && number >= bounds[count - 1]) {
      return count; // As for nearly all that is added.
    }
    int at = Arrays.binarySearch(bounds, 0, count, number);
    return at >= 0 ? at + 1 : -at - 1;
  }

  /** Returns the first number from one on that is not in the set. */
  int nextMissing(int from) {
    int at = boundsUpTo(from);
    return at % 2 == 1 ? bounds[at] : from;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Returns how many numbers there are. */
  int size() {
    int size = 0;
    for (int i = 0; i < count; i += 2) {
      size += bounds[i + 1] - bounds[i];
    }
    return size;
  }

  /** Writes all numbers, in order, with something added to each. */
  void copyTo(int[] numbers, int at, int added) {
    int next = at;
    for (int i = 0; i < count; i += 2) {
      for (int number = bounds[i]; number < bounds[i + 1]; number++) {
        numbers[next++] = number + added;
      }
    }
  }
}
