package dev.tailwater.delivery.seal;

import dev.tailwater.delivery.tail.Position;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.posix.value.FileStatus;

/**
 * What is to be cut of a tail next.
 *
 * @param fd the file, leased by the caller
 * @param status of the file, as it was seen before anything was read
 * @param limitBytes where the range ends at the latest
 * @param sinceNanos when the first of its bytes was seen in the file
 */
record Cut(
    Tail tail,
    int fd,
    Position from,
    FileStatus status,
    long limitBytes,
    long sinceNanos,
    long dueNanos,
    long sizeSeenAtNanos) {

  /**
   * Returns whether the file was overwritten since its status was seen, and a range that ends here
   * is its last one; others have a later time.
   */
  boolean isOverwritten(FileStatus now, long endBytes) {
    return endBytes >= now.sizeBytes()
        && now.sizeBytes() == status.sizeBytes()
        && now.modificationTimeNanos() != status.modificationTimeNanos();
  }

  /** Returns how many bytes it has at the most. */
  long lengthBytes() {
    return limitBytes - from.bytes();
  }

  /**
   * Returns where a segment ends at the latest: at the next position of another destination's tail
   * of the same stream, so that tails that have fallen out of step get back into it.
   */
  long limitInStepBytes() {
    long endBytes = limitBytes;
    for (Tail other : tail.file().tails()) {
      Position there = other.position();
      if (other != tail
          && there.bytes() > from.bytes()
          && there.stream().streamPrefix().equals(from.stream().streamPrefix())) {
        endBytes = Math.min(endBytes, there.bytes());
      }
    }
    return endBytes;
  }
}
