package dev.tailwater.delivery.stream;

import dev.tailwater.archive.RangeSet;
import dev.tailwater.delivery.sums.BlockSums;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known of bytes of a stream that were replaced in its file after they had been read. Not
 * thread-safe: its stream guards it.
 */
final class Rewrites {
  private final BlockSums blocks;
  private final OptionalLong savedModificationTimeNanos;
  private boolean changedInPlace;

  /** Whether the file has to be compared with what is delivered. */
  private boolean uncompared;

  /** Whether that was done of the file as it was last seen, and is only done once more. */
  private boolean onceMore;

  /** Whether bytes may have been replaced where no checksum is known. */
  private boolean suspected;

  /** What the archive states of bytes that were not compared with the file since. */
  private Optional<ArchivedContent> archived = Optional.empty();

  private long lastRevision;

  /** Creates what is known of a stream that no earlier run has saved: nothing. */
  Rewrites(BlockSums blocks) {
    this.blocks = blocks;
    this.savedModificationTimeNanos = OptionalLong.empty();
  }

  /** Creates what an earlier run knew. */
  Rewrites(BlockSums blocks, Checkpoint checkpoint) {
    this.blocks = blocks;
    this.savedModificationTimeNanos = OptionalLong.of(checkpoint.seen().modificationTimeNanos());
    this.changedInPlace = checkpoint.changedInPlace();
    this.uncompared = checkpoint.rewriting().uncompared();
    this.onceMore = checkpoint.rewriting().onceMore();
    this.suspected = checkpoint.rewriting().suspected();
    this.lastRevision = checkpoint.rewriting().lastRevision();
    blocks.restore(checkpoint.rewriting().blockSums(), checkpoint.durable().bytes());
  }

  /** Returns whether a file with this time may have been written to since it was saved. */
  boolean isWrittenSinceSaved(long nowModificationTimeNanos) {
    return savedModificationTimeNanos.isEmpty()
        || savedModificationTimeNanos.getAsLong() != nowModificationTimeNanos;
  }

  boolean isChangedInPlace() {
    return changedInPlace;
  }

  /** Notes whether bytes were changed in place; true when that is news. */
  boolean changedInPlace(boolean now) {
    boolean news = changedInPlace != now;
    changedInPlace = now;
    return news;
  }

  void uncompared(boolean now) {
    uncompared = now;
    onceMore = false;
  }

  void comparesOnceMore() {
    uncompared = true;
    onceMore = true;
  }

  boolean isUncompared() {
    return uncompared;
  }

  void suspected(boolean now) {
    suspected = now;
  }

  boolean isSuspected() {
    return suspected;
  }

  /** Notes what the archive states of the bytes: the file is to be compared with that. */
  void archiveStates(ArchivedContent content) {
    archived = Optional.of(content);
    uncompared(true);
  }

  Optional<ArchivedContent> archived() {
    return archived;
  }

  void comparedWithArchive() {
    archived = Optional.empty();
  }

  /**
   * Notes which revisions the destination holds. Some may have arrived after the checkpoint was
   * saved, and then its checksums are of the bytes before: of these, nothing is known to be the
   * same.
   *
   * @param highest 0 if there are none
   * @param replaced the ranges of all
   * @param replacedByHighest the ranges of the highest one
   */
  void holdsRevisions(long highest, RangeSet replaced, RangeSet replacedByHighest) {
    boolean isResumed = savedModificationTimeNanos.isPresent();
    if (isResumed && highest > lastRevision) {
      replaced.ranges().forEach(blocks::doubt);
    } else if (isResumed && highest == lastRevision && uncompared) {
      replacedByHighest.ranges().forEach(blocks::doubt);
    }
    lastRevision = Math.max(lastRevision, highest);
  }

  /** Returns the highest revision that was used; 0 when none was. */
  long lastRevision() {
    return lastRevision;
  }

  /** Returns a revision that is higher than every earlier one. */
  long nextRevision(long nowMillis) {
    lastRevision = Math.max(lastRevision + 1, nowMillis);
    return lastRevision;
  }

  /**
   * Returns what a checkpoint says of it. What waits to be delivered, or to be compared with the
   * archive, is in memory only: the next start has it compared.
   */
  Checkpoint.Rewriting rewriting() {
    return new Checkpoint.Rewriting(
        isSavedUncompared(), isSavedOnceMore(), lastRevision, isSavedSuspected(), Map.of());
  }

  private boolean isSavedUncompared() {
    return uncompared || blocks.isRevising();
  }

  private boolean isSavedOnceMore() {
    return onceMore && !blocks.isRevising();
  }

  private boolean isSavedSuspected() {
    return suspected || archived.isPresent() || blocks.isRevisingUnknown();
  }

  int hashOfCheckpoint() {
    int hash = Boolean.hashCode(changedInPlace);
    hash = 31 * hash + Boolean.hashCode(isSavedUncompared());
    hash = 31 * hash + Boolean.hashCode(isSavedOnceMore());
    hash = 31 * hash + Boolean.hashCode(isSavedSuspected());
    return 31 * hash + Long.hashCode(lastRevision);
  }
}
