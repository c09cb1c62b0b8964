package dev.tailwater.delivery.tail;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.posix.value.FileStatus;

/**
 * Takes in looks at a file, each of which tells of its size, of a truncation and of changes in
 * place. A look is made without any lock, so it may be outdated when it is to be taken in: the size
 * that it has seen would be taken for a truncation of what was read meanwhile. Not thread-safe: the
 * tail's lock guards it.
 */
final class LookIntake {
  private final WatchedFile file;
  private final ReadPosition read;
  private final SeenSize seen;
  private final TruncationCheck truncation;
  private final ReadContent content;

  /** How often what is known of the size has changed. */
  private long news;

  LookIntake(
      WatchedFile file,
      ReadPosition read,
      SeenSize seen,
      TruncationCheck truncation,
      ReadContent content) {
    this.file = file;
    this.read = read;
    this.seen = seen;
    this.truncation = truncation;
    this.content = content;
  }

  /** Returns how often what is known of the size has changed. */
  long news() {
    return news;
  }

  /** Notes that something else was learnt of the size: looks that are under way are outdated. */
  void outdate() {
    news++;
  }

  /**
   * Takes in a status; false when it may be older than what is known.
   *
   * @param newsBefore the number of {@link #news} before the look
   */
  boolean observe(
      long newsBefore, FileStatus status, FileOwner owner, long nowNanos, long nowMillis) {
    if (news != newsBefore) {
      return false;
    }
    news++;
    seen.lookedAt(nowNanos);
    boolean grown = seen.hasGrownTo(status.sizeBytes());
    boolean modified = content.isModified(status);
    if (grown || modified) {
      content.written();
    }
    truncation.seen(status.sizeBytes());
    if (seen.wasTruncatedTo(status.sizeBytes())) {
      truncation.shrunk();
      seen.shrunk();
    } else {
      if (modified && !grown) {
        suspect();
      }
      takeIn(status, nowNanos);
      content.settleIfReadLater(status, nowMillis);
      seen.unreadSeen(read.bytes(), nowNanos);
    }
    // Last: a checkpoint with the new time must say what is known of the change.
    file.noteIn(read.stream(), status, owner, nowMillis);
    return true;
  }

  /** Takes in the status of a file that has not shrunk. */
  void takeIn(FileStatus status, long nowNanos) {
    boolean grown = seen.hasGrownTo(status.sizeBytes());
    boolean written = content.look(status, grown, !truncation.isPending(), nowNanos);
    seen.seen(status.sizeBytes(), written, nowNanos);
    read.stream().sizeSeen(status.sizeBytes());
  }

  /**
   * Notes that the file was written to. If it has not grown, it may have been written anew with the
   * size that it had, so the bytes before the position must be compared.
   *
   * @return whether that is so
   */
  boolean suspect() {
    boolean suspected = read.bytes() > 0 && seen.bytes() == read.bytes();
    truncation.suspect(suspected);
    return suspected;
  }
}
