package dev.tailwater.restore.verify;

import java.util.Optional;

/**
 * How mode and owner of a file compare with what its archive tells.
 *
 * @param difference says what differs; empty if nothing does, or nothing was compared
 * @param isLocked whether nothing was compared because there is no identity to open it with
 */
public record AttributeComparison(Optional<String> difference, boolean isLocked) {
  /** Nothing differs, or nothing was to be compared. */
  static final AttributeComparison NONE = new AttributeComparison(Optional.empty(), false);

  /** Segments that nobody can open here may tell the newest attributes. */
  static final AttributeComparison LOCKED = new AttributeComparison(Optional.empty(), true);
}
