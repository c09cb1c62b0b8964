package dev.tailwater.io.watch.event;

import java.util.HashSet;
import java.util.Set;

/**
 * Pairs the two halves of renames by their cookie. The kernel queues them one after the other but
 * not as one, so that a read may end between them.
 */
public final class MovePairing {
  private final Set<Integer> open = new HashSet<>();

  public void movedFrom(int cookie) {
    open.add(cookie);
  }

  public void movedTo(int cookie) {
    open.remove(cookie);
  }

  /** Whether a second half may still be on its way. */
  public boolean hasOpen() {
    return !open.isEmpty();
  }

  /** What has no second half by now was moved to where nobody watches. */
  void giveUp() {
    open.clear();
  }
}
