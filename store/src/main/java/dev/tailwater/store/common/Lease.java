package dev.tailwater.store.common;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts who uses a thing that one party wants to end: it ends when that party has said so and the
 * last user has left, in whichever thread that is. Nobody waits. Thread-safe.
 */
public final class Lease {
  private static final long ENDING = 1L << 62;

  private final AtomicLong users = new AtomicLong();

  /** Begins a use; false when the end has been asked for. */
  public boolean begin() {
    long seen = users.get();
    while ((seen & ENDING) == 0) {
      if (users.compareAndSet(seen, seen + 1)) {
        return true;
      }
      seen = users.get();
    }
    return false;
  }

  /** Ends a use; true when the caller is now the one who has to free the thing. */
  public boolean leave() {
    return users.decrementAndGet() == ENDING;
  }

  /** Asks for the end; true when the caller is now the one who has to free the thing. */
  public boolean end() {
    long seen = users.get();
    while ((seen & ENDING) == 0) {
      if (users.compareAndSet(seen, seen | ENDING)) {
        return seen == 0;
      }
      seen = users.get();
    }
    return false;
  }
}
