package dev.tailwater.io.watch.event;

import java.util.HashSet;
import java.util.Set;

/**
 * Pairs the two halves of a rename by their cookie. The kernel queues them separately, so that a
 * read may end between them.
 */
public final class MovePairing {
  private final Set<Integer> open = new HashSet<>();

  public void movedFrom(int cookie) {
    open.add(cookie);
  }

  public void movedTo(int cookie) {
    open.remove(cookie);
  }

  /** Returns whether a second half may still come. */
  public boolean hasOpen() {
    return !open.isEmpty();
  }

  /** Stops waiting: a file without a second half was moved out of the watched directories. */
  void giveUp() {
    open.clear();
  }
}
