package dev.tailwater.delivery.tail;

/**
 * Whether a file may have been truncated or written anew since it was read, so that the bytes
 * before the position must be compared before more is read; and which of the sizes it was seen with
 * belong to the stream before the truncation. Not thread-safe: the tail's lock guards it.
 */
final class TruncationCheck {
  private boolean shrunk;
  private boolean suspected;

  /** Whether a worker has taken the suspicion up, and has not compared yet. */
  private boolean comparing;

  private long confirmedBytes;

  /** The largest size seen since the stream that follows a truncation was looked for. */
  private long seenForNextBytes;

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

  /** Notes that the bytes before the position were unchanged when the file had this size. */
  void confirm(long sizeBytes) {
    confirmedBytes = Math.max(confirmedBytes, sizeBytes);
    comparing = false;
  }

  /** Returns whether the bytes must be compared, or the file is known to be truncated. */
  boolean isPending() {
    return shrunk || suspected || comparing;
  }

  /** Notes a size that the file was seen with. */
  void seen(long sizeBytes) {
    seenForNextBytes = Math.max(seenForNextBytes, sizeBytes);
  }

  /** If the stream turns out to have ended, the sizes that are seen from now on are the next's. */
  void lookForNextStream() {
    seenForNextBytes = 0;
  }

  /**
   * Returns the largest size that the stream is certain to have had before a truncation. Sizes that
   * were seen after a truncation that nobody noticed belong to the next stream. A file that was
   * never seen with another size than it has was overwritten, not truncated: nothing of it ended
   * behind the position.
   */
  long sizeBeforeBytes(long positionBytes, long seenBytes) {
    if (shrunk) {
      return Math.max(positionBytes, seenBytes);
    }
    return seenBytes == confirmedBytes ? positionBytes : Math.max(positionBytes, confirmedBytes);
  }

  /**
   * Begins the next stream: nothing of it is read, so nothing is to be compared.
   *
   * @param sizeBytes the file's
   * @return its size, which is the largest that was seen since it was looked for
   */
  long beginStream(long sizeBytes) {
    shrunk = false;
    suspected = false;
    comparing = false;
    confirmedBytes = 0;
    return Math.max(sizeBytes, seenForNextBytes);
  }
}
