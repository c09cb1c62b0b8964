package dev.tailwater.delivery.tail;

/**
 * Whether the bytes before a tail's position must be compared with the file before more is read:
 * the file may have been truncated or written anew. Not thread-safe: its tail guards it.
 */
final class PendingComparison {
  private boolean shrunk;
  private boolean suspected;

  /** Whether a worker has taken the suspicion up, and has not compared yet. */
  private boolean comparing;

  /** Notes that the file is shorter than it was: it was truncated. */
  void shrunk() {
    shrunk = true;
  }

  boolean isShrunk() {
    return shrunk;
  }

  /** Notes whether a write that did not grow the file may have replaced its bytes. */
  void suspect(boolean suspect) {
    suspected = suspect;
  }

  /** Notes that a worker is about to compare. A suspicion that comes up later is a new one. */
  void begin() {
    comparing |= suspected;
    suspected = false;
  }

  /** Notes that the bytes were found unchanged. */
  void confirmed() {
    comparing = false;
  }

  /** Returns whether the bytes must be compared, or the file is known to be truncated. */
  boolean isPending() {
    return shrunk || suspected || comparing;
  }
}
