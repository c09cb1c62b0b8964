package dev.tailwater.restore.verify;

import java.util.Optional;

/**
 * How the attributes of a file compare with what its archive tells.
 *
 * @param difference says what differs; empty if nothing does, or nothing was compared
 * @param isLocked whether mode and owner were not compared, since segments that nobody can open
 *     here may tell newer ones
 */
public record AttributeComparison(Optional<String> difference, boolean isLocked) {
  /** Nothing differs, or nothing was to be compared. */
  static final AttributeComparison NONE = new AttributeComparison(Optional.empty(), false);
}
