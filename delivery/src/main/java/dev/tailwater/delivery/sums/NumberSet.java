package dev.tailwater.delivery.sums;

import org.jspecify.annotations.Nullable;

/**
 * A set of numbers from 0 on. As long as it has none above 63, as for nearly every file, it takes
 * no other object. Not thread-safe.
 */
final class NumberSet {
  private static final int FIRST = Long.SIZE;

  /** The numbers below {@value #FIRST}, a bit for each. */
  private long first;

  /** The others, less {@value #FIRST}. */
  private @Nullable NumberRanges others;

  boolean contains(int number) {
    return number < FIRST
        ? (first & (1L << number)) != 0
        : others != null && others.contains(number - FIRST);
  }

  void add(int number) {
    if (number < FIRST) {
      first |= 1L << number;
    } else {
      others().addRange(number - FIRST, number - FIRST + 1);
    }
  }

  /** Adds the numbers of a range. */
  void addRange(int from, int to) {
    for (int number = from; number < Math.min(to, FIRST); number++) {
      add(number);
    }
    if (to > FIRST) {
      others().addRange(Math.max(0, from - FIRST), to - FIRST);
    }
  }

  private NumberRanges others() {
    if (others == null) {
      others = new NumberRanges();
    }
    return others;
  }

  void remove(int number) {
    if (number < FIRST) {
      first &= ~(1L << number);
    } else if (others != null) {
      others.removeRange(number - FIRST, number - FIRST + 1);
    }
  }

  /** Removes the numbers of a range. */
  void removeRange(int from, int to) {
    for (int number = from; number < Math.min(to, FIRST); number++) {
      remove(number);
    }
    if (others != null && to > FIRST) {
      others.removeRange(Math.max(0, from - FIRST), to - FIRST);
    }
  }

  /** Returns the first number from one on that is not in the set. */
  int nextMissing(int from) {
    if (from < FIRST) {
      int next = from + Long.numberOfTrailingZeros(~first >>> from);
      if (next < FIRST) {
        return next;
      }
    }
    int next = Math.max(from, FIRST);
    return others == null ? next : FIRST + others.nextMissing(next - FIRST);
  }

  boolean isEmpty() {
    return first == 0 && (others == null || others.isEmpty());
  }

  /** Returns all numbers, in order. */
  int[] toArray() {
    int[] numbers = new int[Long.bitCount(first) + (others == null ? 0 : others.size())];
    int count = 0;
    for (long left = first; left != 0; left &= left - 1) {
      numbers[count++] = Long.numberOfTrailingZeros(left);
    }
    if (others != null) {
      others.copyTo(numbers, count, FIRST);
    }
    return numbers;
  }
}
