package dev.tailwater.delivery.tail;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Tells from looks at a file whether bytes that were read before have been changed in place.
 *
 * <p>A write moves the modification time first and the size last. So a look that finds a new time
 * and the old size may have met an append under way: that is a suspicion until the file grows,
 * which clears it, or stays as long as it is for a while, which confirms it. What a rename, a new
 * mode or a new link moves is the change time, which says nothing about bytes. Guarded by its tail.
 */
final class InPlaceChange {
  /** For so long an append may hang between the time that it sets and the size that it sets. */
  static final long SETTLES_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private OptionalLong modificationTimeNanos;
  private OptionalLong suspectedSinceNanos = OptionalLong.empty();
  private boolean confirmed;

  /** What one write alone has set; growth with the very same time shows that it was an append. */
  private OptionalLong onlyWriteAtNanos = OptionalLong.empty();

  /**
   * @param modificationTimeNanos at the last look; empty when it is not known
   * @param confirmed whether an earlier run has found a change
   */
  InPlaceChange(OptionalLong modificationTimeNanos, boolean confirmed) {
    this.modificationTimeNanos = modificationTimeNanos;
    this.confirmed = confirmed;
  }

  /** One look at a file that has not shrunk. */
  void look(Look look) {
    boolean modified =
        modificationTimeNanos.isPresent()
            && modificationTimeNanos.getAsLong() != look.modificationTimeNanos();
    modificationTimeNanos = OptionalLong.of(look.modificationTimeNanos());
    if (look.grown()) {
      suspectedSinceNanos = OptionalLong.empty();
      confirmed &= onlyWriteAtNanos.isEmpty() || onlyWriteAtNanos.getAsLong() != time();
      onlyWriteAtNanos = OptionalLong.empty();
      return;
    }
    if (look.compared() && !look.anythingUncompared()) {
      suspectedSinceNanos = OptionalLong.empty(); // It has what was read, all of it.
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
   * What one look has found.
   *
   * @param grown since the look before
   * @param anythingRead whether there are bytes that a change may have come too late for
   * @param compared whether the bytes right before the position are known to be those that were
   *     read: otherwise it may turn out that the file was truncated, and is another stream
   * @param anythingUncompared whether more was read than is compared
   */
  record Look(
      long modificationTimeNanos,
      boolean grown,
      boolean anythingRead,
      boolean compared,
      boolean anythingUncompared,
      long nowNanos) {}

  /** Whether a further look must tell. */
  boolean isSuspected() {
    return suspectedSinceNanos.isPresent();
  }

  /** Whether bytes have changed that were read before. */
  boolean isConfirmed() {
    return confirmed;
  }

  /** At the last look; empty before the first. */
  OptionalLong modificationTimeNanos() {
    return modificationTimeNanos;
  }
}
