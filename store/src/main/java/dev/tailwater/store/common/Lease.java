package dev.tailwater.store.common;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A count of the users of a resource that its owner wants to free: it is freed once the owner has
 * asked for it and the last user has left, in whichever thread that is. Nobody waits. Thread-safe.
 */
public final class Lease {
  private static final long ENDING = 1L << 62;

  private final AtomicLong users = new AtomicLong();

  /** Starts a use; returns false when the owner has asked for the end. */
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

  /** Ends a use; returns true when the caller has to free the resource now. */
  public boolean leave() {
    return users.decrementAndGet() == ENDING;
  }

  /** Asks for the end; returns true when the caller has to free the resource now. */
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
