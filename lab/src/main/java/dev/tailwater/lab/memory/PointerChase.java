package dev.tailwater.lab.memory;

import java.util.Random;

/**
 * A working set that is walked through line by line in an order that no prefetcher predicts, so
 * that each line that is not in the cache costs its full latency.
 */
final class PointerChase {
  private static final int LINE_INTS = 16;

  private final int[] next;
  private final int lines;
  private int at;

  PointerChase(int bytes) {
    lines = bytes / (LINE_INTS * Integer.BYTES);
    next = new int[lines * LINE_INTS];
    int[] order = new int[lines];
    for (int i = 0; i < lines; i++) {
      order[i] = i;
    }
    Random random = new Random(2);
    for (int i = lines - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int swap = order[i];
      order[i] = order[other];
      order[other] = swap;
    }
    for (int i = 0; i < lines; i++) {
      next[order[i] * LINE_INTS] = order[(i + 1) % lines] * LINE_INTS;
    }
  }

  /** Touches each cache line once. */
  int walk() {
    return walk(lines);
  }

  /** Touches the given number of lines, from where the last walk ended. */
  int walk(int count) {
    int place = at;
    for (int i = 0; i < count; i++) {
      place = next[place];
    }
    at = place;
    return place;
  }
}
