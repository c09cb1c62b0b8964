package dev.tailwater.delivery.due;

import dev.tailwater.archive.ByteSum;
import dev.tailwater.delivery.tail.Tail;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The tails that workers have. Not thread-safe: the {@link DueQueue} guards it. */
final class ClaimedTails {
  /** With how many bytes were unread in each when it was claimed. */
  private final Map<Tail, Long> claimed = new HashMap<>();

  private final ByteTally atClaim = new ByteTally();

  /**
   * Adds a tail.
   *
   * @param unreadBytes how many of its bytes are to be read by who claims it
   */
  void add(Tail tail, long unreadBytes) {
    claimed.put(tail, unreadBytes);
    atClaim.add(unreadBytes);
  }

  void remove(Tail tail) {
    Long bytes = claimed.remove(tail);
    atClaim.remove(bytes == null ? 0 : bytes);
  }

  boolean contains(Tail tail) {
    return claimed.containsKey(tail);
  }

  boolean isEmpty() {
    return claimed.isEmpty();
  }

  int count() {
    return claimed.size();
  }

  Set<Tail> tails() {
    return claimed.keySet();
  }

  /**
   * Returns how many bytes were unread when the tails were claimed. Of thousands of them, what is
   * unread now would take too long to add up each time.
   */
  long bytesAtClaim() {
    return atClaim.bytes();
  }

  /** Returns how many bytes are unread now. */
  long unreadBytes() {
    long bytes = 0;
    for (Tail tail : claimed.keySet()) {
      bytes = ByteSum.of(bytes, tail.work().unreadBytes());
    }
    return bytes;
  }
}
