package dev.tailwater.io.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Pages that a read leaves behind. The kernel keeps a page that it uses itself at that moment, as
 * it does while it moves memory or writes back, and nobody can keep it from doing so. Hence a read
 * is made until it leaves nothing: one that leaves pages by itself does so each time.
 */
final class Traces {
  private static final int TRIES = 200;

  private Traces() {}

  /** Reads from anew, and returns how many pages more are resident than before. */
  @FunctionalInterface
  interface Attempt {
    long pagesLeft() throws IOException;
  }

  static void requireNone(Attempt attempt) throws IOException {
    List<Long> left = new ArrayList<>();
    while (left.size() < TRIES) {
      long pages = attempt.pagesLeft();
      if (pages == 0) {
        return;
      }
      left.add(pages);
    }
    throw new AssertionError("every read changed how many pages are resident, by " + left);
  }
}
