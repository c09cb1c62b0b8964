package dev.tailwater.delivery.tail;

import java.util.OptionalLong;

/**
 * The size that a file was seen with in its present stream, and when it was seen to change. Not
 * thread-safe: the tail's lock guards it.
 */
final class SeenSize {
  private long bytes;

  /** The largest size that an earlier run has seen, until this one has looked at the file. */
  private long earlierBytes;

  /** Whether bytes are unread, and since when. */
  private boolean isUnread;

  private long unreadSinceNanos;

  /** When bytes were seen that are unread only if the destination has those of another file. */
  private boolean isHeld;

  private long heldSinceNanos;

  /** Whether a look was taken in, and when the last one began. */
  private boolean isLookedAt;

  private long lookedNanos;
  private long lastGrowthNanos;
  private long lastChangeNanos;

  /**
   * Creates the size of a file of which this run has seen no more than is read.
   *
   * @param earlierBytes the largest size that an earlier run has seen, as far as that is known
   */
  SeenSize(long readBytes, long earlierBytes) {
    this.bytes = readBytes;
    this.earlierBytes = earlierBytes;
  }

  /** Returns the largest size that the file was seen with. */
  long bytes() {
    return bytes;
  }

  /** Returns whether a file of this size has grown since it was seen last. */
  boolean hasGrownTo(long sizeBytes) {
    return sizeBytes > bytes;
  }

  /** Returns whether a file of this size was truncated since it was seen last. */
  boolean wasTruncatedTo(long sizeBytes) {
    return sizeBytes < Math.max(bytes, earlierBytes);
  }

  /** Notes that the file was truncated: what an earlier run has seen was there before that. */
  void shrunk() {
    bytes = Math.max(bytes, earlierBytes);
  }

  /** Returns how many bytes were seen behind the position. */
  long unreadBytes(long positionBytes) {
    return Math.max(0, bytes - positionBytes);
  }

  /** Returns when the oldest unread byte was seen; empty when there is none. */
  OptionalLong unreadSinceNanos() {
    return isUnread ? OptionalLong.of(unreadSinceNanos) : OptionalLong.empty();
  }

  /** Notes that a look at the file, which is taken in, began at this time. */
  void lookedAt(long nanos) {
    isLookedAt = true;
    lookedNanos = nanos;
  }

  /** Returns whether a look that was taken in began after that. */
  boolean wasLookedAtAfter(long nanos) {
    return isLookedAt && lookedNanos - nanos > 0;
  }

  /** Returns when the file was last seen to have grown. */
  long lastGrowthNanos() {
    return lastGrowthNanos;
  }

  /** Returns when the file was last seen to have been written to. */
  long lastChangeNanos() {
    return lastChangeNanos;
  }

  /**
   * Takes in the size of a file that has not shrunk.
   *
   * @param written whether the file was written to since it was seen last
   */
  void seen(long sizeBytes, boolean written, long nowNanos) {
    if (hasGrownTo(sizeBytes)) {
      lastGrowthNanos = nowNanos;
    }
    if (written) {
      lastChangeNanos = nowNanos;
    }
    bytes = sizeBytes;
    earlierBytes = 0;
  }

  /** Notes when bytes behind the position were seen, unless older ones are there. */
  void unreadSeen(long positionBytes, long nowNanos) {
    if (bytes > positionBytes && !isUnread) {
      isUnread = true;
      unreadSinceNanos = nowNanos;
    }
  }

  /**
   * Notes that the destination has all before the position, unless the file turns out to be another
   * one: then the next stream {@linkplain #beginStream begins}.
   *
   * @param seenEarlierBytes the largest size that an earlier run has seen, as far as that is known
   */
  void heldTo(long positionBytes, long seenEarlierBytes) {
    earlierBytes = seenEarlierBytes;
    boolean wasUnread = isUnread;
    readTo(positionBytes);
    isHeld = wasUnread;
    heldSinceNanos = unreadSinceNanos;
  }

  /** Notes that all before the position was read. */
  void readTo(long positionBytes) {
    bytes = Math.max(bytes, positionBytes);
    if (bytes == positionBytes) {
      isUnread = false;
    }
    isHeld = false;
  }

  /** Notes that all that was there at this time was read: what is unread was written later. */
  void readAllOf(long nanos, long positionBytes) {
    readTo(positionBytes);
    if (bytes > positionBytes) {
      isUnread = true;
      unreadSinceNanos = nanos;
    }
  }

  /** Begins with the size of the next stream, of which nothing is read. */
  void beginStream(long sizeBytes) {
    bytes = sizeBytes;
    earlierBytes = 0;
    if (sizeBytes == 0) {
      isUnread = false;
    } else if (isHeld) {
      isUnread = true;
      unreadSinceNanos = heldSinceNanos;
    }
    isHeld = false;
  }
}
