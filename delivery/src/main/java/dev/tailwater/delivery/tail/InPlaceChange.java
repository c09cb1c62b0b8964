package dev.tailwater.delivery.tail;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Detects, from looks at a file, that bytes that were read have been changed in place.
 *
 * <p>A write first sets the modification time, and finally the size. So a look that finds a new
 * time and the old size may have met an append under way. This is a suspicion: it is cleared when
 * the file grows, and confirmed when its size stays the same for a while. Renames, new modes and
 * new links set the change time, which says nothing about bytes. Not thread-safe: its tail guards
 * it. Every look sets the times, so they are no objects: these would live until the next look, and
 * cost the collector more than the look.
 */
final class InPlaceChange {
  /** How long an append may take from setting the time to setting the size. */
  static final long SETTLES_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private boolean isTimeKnown;
  private long timeNanos;
  private boolean isSuspected;
  private long suspectedSinceNanos;
  private boolean confirmed;

  /** Whether the file grew before anybody knew whether a write had replaced something. */
  private boolean unexplained;

  /** Whether the file may have been written to in any way since the time that is known. */
  private boolean unwatched;

  /**
   * The time that a single write has set; growth with the same time shows that it was an append.
   */
  private boolean isOnlyWriteKnown;

  private long onlyWriteAtNanos;

  /**
   * Creates a detector.
   *
   * @param modificationTimeNanos the time at the last look; empty when it is not known
   * @param confirmed whether an earlier run has found a change
   * @param unexplained whether an earlier run has seen a write that may have been one
   */
  InPlaceChange(OptionalLong modificationTimeNanos, boolean confirmed, boolean unexplained) {
    isTimeKnown = modificationTimeNanos.isPresent();
    timeNanos = modificationTimeNanos.orElse(0);
    this.confirmed = confirmed;
    this.unexplained = unexplained;
  }

  /** Has the next look take growth for no explanation: nobody watched the file meanwhile. */
  InPlaceChange unwatched() {
    unwatched = true;
    return this;
  }

  /** Takes in a look at a file that has not shrunk. */
  void look(Look look) {
    boolean modified = isTimeKnown && timeNanos != look.modificationTimeNanos();
    isTimeKnown = true;
    timeNanos = look.modificationTimeNanos();
    boolean firstLook = unwatched;
    unwatched = false;
    if (look.grown()) {
      boolean append = isOnlyWriteKnown && onlyWriteAtNanos == look.modificationTimeNanos();
      unexplained |= (isSuspected() && !append) || (firstLook && modified);
      isSuspected = false;
      confirmed &= !append;
      isOnlyWriteKnown = false;
      return;
    }
    if (look.compared() && !look.anythingUncompared()) {
      isSuspected = false; // All that was read was found unchanged.
      return;
    }
    if (modified && look.anythingRead()) {
      if (!confirmed && !isSuspected) {
        isOnlyWriteKnown = true;
        onlyWriteAtNanos = timeNanos;
        isSuspected = true;
        suspectedSinceNanos = look.nowNanos();
      } else {
        isOnlyWriteKnown = false;
      }
    }
    if (isSuspected
        && look.compared()
        && look.nowNanos() - suspectedSinceNanos >= SETTLES_AFTER_NANOS) {
      confirmed = true;
      isSuspected = false;
    }
  }

  /**
   * A look at a file.
   *
   * @param grown whether the file has grown since the look before
   * @param anythingRead whether any bytes have been read, and so may have been changed too late
   * @param compared whether the bytes right before the position are known to be those that were
   *     read; otherwise it may turn out that the file was truncated, and is at another stream
   * @param anythingUncompared whether more was read than is compared
   */
  record Look(
      long modificationTimeNanos,
      boolean grown,
      boolean anythingRead,
      boolean compared,
      boolean anythingUncompared,
      long nowNanos) {}

  /** Notes that the file was compared with all that was read of it. */
  void settled() {
    confirmed = false;
    unexplained = false;
    isSuspected = false;
    isOnlyWriteKnown = false;
  }

  /** Notes that bytes may be replaced without a sign. */
  void unexplained() {
    unexplained = true;
  }

  /**
   * Returns whether bytes may have been replaced: that is suspected, or known, or nobody can tell
   * any more.
   */
  boolean isPossible() {
    return isSuspected() || confirmed || unexplained;
  }

  /** Returns whether another look must tell. */
  boolean isSuspected() {
    return isSuspected;
  }

  /** Returns whether bytes that were read have been changed. */
  boolean isConfirmed() {
    return confirmed;
  }

  /** Returns the modification time at the last look; empty before the first. */
  OptionalLong modificationTimeNanos() {
    return isTimeKnown ? OptionalLong.of(timeNanos) : OptionalLong.empty();
  }

  /** Returns whether the file had another modification time at the last look. */
  boolean hadOtherTime(long modificationTimeNanos) {
    return isTimeKnown && timeNanos != modificationTimeNanos;
  }

  /** Returns whether the file had this modification time at the last look. */
  boolean hadTime(long modificationTimeNanos) {
    return isTimeKnown && timeNanos == modificationTimeNanos;
  }
}
