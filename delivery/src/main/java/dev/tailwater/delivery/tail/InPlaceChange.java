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
 * it.
 */
final class InPlaceChange {
  /** How long an append may take from setting the time to setting the size. */
  static final long SETTLES_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private OptionalLong modificationTimeNanos;
  private OptionalLong suspectedSinceNanos = OptionalLong.empty();
  private boolean confirmed;

  /** Whether the file grew before anybody knew whether a write had replaced something. */
  private boolean unexplained;

  /** Whether the file may have been written to in any way since the time that is known. */
  private boolean unwatched;

  /**
   * The time that a single write has set; growth with the same time shows that it was an append.
   */
  private OptionalLong onlyWriteAtNanos = OptionalLong.empty();

  /**
   * Creates a detector.
   *
   * @param modificationTimeNanos the time at the last look; empty when it is not known
   * @param confirmed whether an earlier run has found a change
   * @param unexplained whether an earlier run has seen a write that may have been one
   */
  InPlaceChange(OptionalLong modificationTimeNanos, boolean confirmed, boolean unexplained) {
    this.modificationTimeNanos = modificationTimeNanos;
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
    boolean modified =
        modificationTimeNanos.isPresent()
            && modificationTimeNanos.getAsLong() != look.modificationTimeNanos();
    modificationTimeNanos = OptionalLong.of(look.modificationTimeNanos());
    boolean firstLook = unwatched;
    unwatched = false;
    if (look.grown()) {
      boolean append = onlyWriteAtNanos.isPresent() && onlyWriteAtNanos.getAsLong() == time();
      unexplained |= (isSuspected() && !append) || (firstLook && modified);
      suspectedSinceNanos = OptionalLong.empty();
      confirmed &= !append;
      onlyWriteAtNanos = OptionalLong.empty();
      return;
    }
    if (look.compared() && !look.anythingUncompared()) {
      suspectedSinceNanos = OptionalLong.empty(); // All that was read was found unchanged.
      return;
    }
    if (modified && look.anythingRead()) {
      boolean first = !confirmed && suspectedSinceNanos.isEmpty();
      onlyWriteAtNanos = first ? modificationTimeNanos : OptionalLong.empty();
      if (first) {
        suspectedSinceNanos = OptionalLong.of(look.nowNanos());
      }
    }
    if (suspectedSinceNanos.isPresent()
        && look.compared()
        && look.nowNanos() - suspectedSinceNanos.getAsLong() >= SETTLES_AFTER_NANOS) {
      confirmed = true;
      suspectedSinceNanos = OptionalLong.empty();
    }
  }

  private long time() {
    return modificationTimeNanos.orElseThrow();
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
    suspectedSinceNanos = OptionalLong.empty();
    onlyWriteAtNanos = OptionalLong.empty();
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
    return suspectedSinceNanos.isPresent();
  }

  /** Returns whether bytes that were read have been changed. */
  boolean isConfirmed() {
    return confirmed;
  }

  /** Returns the modification time at the last look; empty before the first. */
  OptionalLong modificationTimeNanos() {
    return modificationTimeNanos;
  }
}
